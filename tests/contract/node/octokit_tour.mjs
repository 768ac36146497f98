// What people write with octokit: paging, REST by its generated methods, GraphQL, and an App that
// signs in with its key. Prints what it saw as one line of JSON.
// Arguments: URL, a person's token, App id, path of the App's private key.
import { readFileSync } from "node:fs";
import { App, Octokit } from "octokit";

const [url, token, appId, keyPath] = process.argv.slice(2);
const repository = { owner: "octo", repo: "demo" };
const silent = { debug() {}, info() {}, warn() {}, error() {} };
const options = { baseUrl: `${url}/api/v3`, log: silent, throttle: { enabled: false } };
const person = new Octokit({ auth: token, ...options });

for (const title of ["one", "two", "three"]) {
  await person.rest.issues.create({ ...repository, title });
}
const listed = await person.paginate(person.rest.issues.listForRepo, {
  ...repository,
  per_page: 1,
  direction: "asc",
});
const answered = await person.graphql(
  `query($owner: String!, $repo: String!) {
     repository(owner: $owner, name: $repo) { issues(first: 3) { totalCount } }
   }`,
  repository,
);

const app = new App({
  appId,
  privateKey: readFileSync(keyPath, "utf8"),
  Octokit: Octokit.defaults(options),
});
const { data: itself } = await app.octokit.rest.apps.getAuthenticated();
const repositories = [];
for await (const { octokit, repository: held } of app.eachRepository.iterator()) {
  repositories.push(held.full_name);
  const head = await octokit.rest.git.getRef({ ...repository, ref: "heads/main" });
  await octokit.rest.checks.create({
    ...repository,
    name: "octokit",
    head_sha: head.data.object.sha,
    status: "completed",
    conclusion: "success",
    output: { title: "Seen", summary: "By octokit" },
  });
}

let refused;
try {
  await person.rest.issues.get({ ...repository, issue_number: 99 });
} catch (error) {
  refused = { status: error.status, message: error.message };
}

const seen = {
  titles: listed.map((issue) => issue.title),
  count: answered.repository.issues.totalCount,
  slug: itself.slug,
  repositories,
  refused,
};
process.stdout.write(JSON.stringify(seen));

// A Probot App: it thanks whoever comments on an issue, and reacts to the comment. Prints its port.
// Arguments: URL of the hub, App id, path of the App's private key, webhook secret.
import { readFileSync } from "node:fs";
import { Probot, Server } from "probot";

const [url, appId, keyPath, secret] = process.argv.slice(2);

const server = new Server({
  port: 0,
  host: "127.0.0.1",
  webhookPath: "/webhook",
  loggingOptions: { level: "silent" },
  Probot: Probot.defaults({
    appId,
    privateKey: readFileSync(keyPath, "utf8"),
    secret,
    baseUrl: `${url}/api/v3`,
    logLevel: "fatal",
  }),
});

await server.load((app) => {
  app.on("issue_comment.created", async (context) => {
    if (context.isBot) return;
    const { comment } = context.payload;
    await context.octokit.rest.reactions.createForIssueComment(
      context.repo({ comment_id: comment.id, content: "heart" }),
    );
    const body = `Thank you, @${comment.user.login}.`;
    await context.octokit.rest.issues.createComment(context.issue({ body }));
  });
});
const listening = await server.start();
process.stdout.write(`port ${listening.address().port}\n`);

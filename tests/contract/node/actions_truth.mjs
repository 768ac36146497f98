// What GitHub's own code says of expressions and workflow files.
// Standard input: {"contexts": {…}, "expressions": […], "workflows": […]}, as JSON.
// Standard output: {"expressions": [{kind, text} | {error}], "workflows": [[error, …], …]}.
import { Evaluator, Lexer, Parser, data, wellKnownFunctions } from "@actions/expressions";
import {
  NoOperationTraceWriter,
  convertWorkflowTemplate,
  parseWorkflow,
} from "@actions/workflow-parser";

let input = "";
for await (const piece of process.stdin) input += piece;
const asked = JSON.parse(input);
const contexts = JSON.parse(JSON.stringify(asked.contexts), data.reviver);
const kinds = new Map(Object.entries(data.Kind).map(([name, number]) => [number, name]));

function evaluate(text) {
  try {
    const { tokens } = new Lexer(text).lex();
    const tree = new Parser(tokens, Object.keys(asked.contexts), []).parse();
    const value = new Evaluator(tree, contexts).evaluate();
    const isPlain = value.primitive;
    const shown = isPlain ? value.coerceString() : JSON.stringify(value, data.replacer);
    return { kind: kinds.get(value.kind), text: shown };
  } catch (error) {
    return { error: String(error.message) };
  }
}

async function faults(content) {
  const file = { name: "workflow.yml", content };
  const { context, value } = parseWorkflow(file, new NoOperationTraceWriter());
  const messages = context.errors.getErrors().map((error) => error.message);
  if (messages.length > 0 || value === undefined) return messages;
  const template = await convertWorkflowTemplate(context, value);
  return (template.errors ?? []).map((error) => error.Message);
}

const workflows = [];
for (const content of asked.workflows) workflows.push(await faults(content));
process.stdout.write(
  JSON.stringify({ expressions: asked.expressions.map(evaluate), workflows }),
);

// The door that people would write with Probot: it verifies, and its handler does one Redis write.
// Arguments: port, path of the Valkey's socket, webhook secret, path of a private key.
import { connect } from "node:net";
import { readFileSync } from "node:fs";
import { Probot, Server } from "probot";

const [port, socket, secret, keyPath] = process.argv.slice(2);
const store = connect(socket);
const waiting = [];
store.on("data", (answer) => {
  // One answer a line, in the order of the questions.
  for (const byte of answer) if (byte === 10) waiting.shift()();
});

function push(value) {
  const size = Buffer.byteLength(value);
  store.write(`*3\r\n$5\r\nLPUSH\r\n$10\r\ndeliveries\r\n$${size}\r\n${value}\r\n`);
  return new Promise((resolve) => waiting.push(resolve));
}

const server = new Server({
  port: Number(port),
  host: "127.0.0.1",
  webhookPath: "/webhook",
  loggingOptions: { level: "silent" },
  Probot: Probot.defaults({
    appId: 1,
    privateKey: readFileSync(keyPath, "utf8"),
    secret,
    logLevel: "fatal",
  }),
});
await server.load((app) => {
  app.onAny((event) => push(JSON.stringify(event.payload)));
});
await server.start();

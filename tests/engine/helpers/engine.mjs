// Runs the module that it is given. Each line of its input is a list of calls, each line of its output their results.
import fs from "node:fs";
import readline from "node:readline";

const { instance } = await WebAssembly.instantiate(
  fs.readFileSync(process.argv[2]),
  {},
);
const calls = instance.exports;
const part = (name) =>
  Buffer.from(
    calls.memory.buffer,
    calls[`${name}_at`](),
    calls[`${name}_size`](),
  );
const own = {
  read: (name) => part(name).toString("base64"),
  begin: (name, length) => part(name).subarray(0, length).toString("base64"),
  write: (name, content) => part(name).set(Buffer.from(content, "base64")),
  names: () => Object.keys(calls),
};

for await (const line of readline.createInterface({ input: process.stdin })) {
  const results = JSON.parse(line).map(
    ([name, ...given]) => (calls[name] ?? own[name])(...given) ?? null,
  );
  process.stdout.write(`${JSON.stringify(results)}\n`);
}

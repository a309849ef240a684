// Asks the ANTLR grammar of T-SQL about every text of the file that is named
// first: the good ones must parse, the bad ones must not. Where the grammar is
// installed is named second.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const [textsFile, installed] = process.argv.slice(2);
const require = createRequire(join(resolve(installed), "package.json"));
const { CharStreams, CommonTokenStream } = require("antlr4ts"); // before the generated files, which expect it loaded
const { CaseChangingStream } = require("antlr4ts-sql/dist/src/models/CaseChangingStream");
const { TSqlLexer } = require("antlr4ts-sql/dist/src/grammar-output/tsql/TSqlLexer");
const { TSqlParser } = require("antlr4ts-sql/dist/src/grammar-output/tsql/TSqlParser");

// complaints are what the grammar says of a text.
function complaints(text) {
  const found = [];
  const listener = { syntaxError: (_, __, line, column, words) => found.push(`${line}:${column} ${words}`) };
  const lexer = new TSqlLexer(new CaseChangingStream(CharStreams.fromString(text), true));
  const parser = new TSqlParser(new CommonTokenStream(lexer));
  for (const part of [lexer, parser]) {
    part.removeErrorListeners();
    part.addErrorListener(listener);
  }
  parser.tsql_file();
  return found;
}

// failure says how the grammar's verdict is not the one expected, "" where it is.
function failure({ text, number = 0, known = {} }) {
  const found = complaints(text);
  const right = number !== 0 ? found.length > 0 : found.length === 0;
  if (right !== "antlr" in known) return "";
  if (right) return "the grammar reads it rightly now, so it is no known difference";
  return number !== 0 ? `the grammar accepts a wrong text (${number})` : found[0].slice(0, 120);
}

const texts = JSON.parse(readFileSync(textsFile, "utf8"));
let failures = 0;
const complain = (words) => {
  console.error(words);
  failures++;
};
for (const entry of texts) {
  const words = failure(entry);
  if (words) complain(`${entry.name}: ${words}\n${entry.text}`);
}

const good = texts.filter((t) => !t.number).length;
const known = texts.filter((t) => t.known && "antlr" in t.known).length;
if (good < 150 || texts.length - good < 50) complain("too few texts to say much");

// The check is checked: each kind of failure must be seen.
for (const spoiled of [
  { text: "SELECT 1", number: 102 },
  { text: "SELECT FROM" },
  { text: "SELECT 1", known: { antlr: "it is not" } },
]) {
  if (!failure(spoiled)) complain(`not noticed: ${JSON.stringify(spoiled)}`);
}
console.log(`antlr: ${good} good and ${texts.length - good} bad texts, ${known} known differences, ${failures} failures`);
process.exitCode = failures > 0 ? 1 : 0;

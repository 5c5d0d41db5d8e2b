// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// validate.mjs FOLDER SCHEMA [LEAST NUMBER OF FILES]: every *.sarif against the schema of SARIF 2.1.0, every *.json against Ravel's own, which is
// taken strictly here: a field that it does not describe is a mistake, of the report or of the schema.
import fs from 'node:fs';
import path from 'node:path';
import {createRequire} from 'node:module';

const require = createRequire(import.meta.url);
const Ajv = require('ajv');
const [folder, schemaFile, least = '8'] = process.argv.slice(2);
const read = (file) => JSON.parse(fs.readFileSync(file, 'utf8'));

function strict(schema) {
  if (Array.isArray(schema)) return schema.map(strict);
  if (schema === null || typeof schema !== 'object') return schema;
  const out = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, strict(value)]));
  if (out.properties && out.additionalProperties === undefined) out.additionalProperties = false;
  return out;
}

const sarifAjv = new Ajv({schemaId: 'id', meta: false, unknownFormats: 'ignore'});
const draft4 = require('ajv/lib/refs/json-schema-draft-04.json');
sarifAjv.addMetaSchema(draft4);
sarifAjv._opts.defaultMeta = draft4.id;
const sarifFolder = path.dirname(require.resolve('@microsoft/jest-sarif/package.json')) + '/lib/schemas';
const sarif = sarifAjv.compile(read(`${sarifFolder}/sarif-2.1.0-rtm.5.json`));
const own = new Ajv({allErrors: true}).compile(strict(read(schemaFile)));

let wrong = 0,
  checked = 0;
function check(name, good, what) {
  ++checked;
  if (good) return;
  ++wrong;
  console.log(`FAIL: ${name}: ${what}`);
}

// What the schema cannot say: order over all flows is 1, 2, 3 ...; rules are found by index; steps have a place in the story.
function checkFlows(name, log) {
  for (const run of log.runs) {
    for (const result of run.results) {
      check(name, run.tool.driver.rules[result.ruleIndex]?.id === result.ruleId, `rule of ${result.ruleId}`);
      check(name, run.tool.driver.rules[result.ruleIndex]?.help.text.length > 20, `help of ${result.ruleId}`);
      check(name, /^[0-9a-f]{16}$/.test(result.partialFingerprints['ravel/v1']), 'fingerprint');
      for (const flow of result.codeFlows || []) {
        const ids = flow.threadFlows.map((thread) => thread.id);
        check(name, new Set(ids).size === ids.length, 'one flow a thread');
        const order = flow.threadFlows
          .flatMap((thread) => thread.locations.map((step) => step.executionOrder))
          .sort((a, b) => a - b);
        check(
          name,
          order.every((n, i) => n === i + 1),
          `execution order ${order}`,
        );
        for (const thread of flow.threadFlows) {
          const own = thread.locations.map((step) => step.executionOrder);
          check(
            name,
            own.every((n, i) => i === 0 || n > own[i - 1]),
            `order within ${thread.id}`,
          );
          check(
            name,
            thread.locations.every((step) => step.location.message.text.startsWith(`${thread.id}:`)),
            `steps of ${thread.id}`,
          );
        }
      }
    }
  }
}

const files = fs.readdirSync(folder).filter((name) => /\.(sarif|json)$/.test(name));
for (const name of files) {
  const value = read(path.join(folder, name));
  const validate = name.endsWith('.sarif') ? sarif : own;
  const good = validate(value);
  check(name, good, JSON.stringify((validate.errors || []).slice(0, 5), null, 1));
  if (good && name.endsWith('.sarif')) checkFlows(name, value);
}
check('samples', files.length >= Number(least), `only ${files.length} files`);
console.log(`${files.length} files, ${checked} checks, ${wrong} wrong`);
process.exit(wrong ? 1 : 0);

// Compares verdicts on shapes, and knows the differences.

import { CreateMessageRequestParamsSchema, CreateMessageResultWithToolsSchema } from '@modelcontextprotocol/core';
import { generate, random } from './sampling-generator.mjs';

/** Rules beyond the shape, which a schema cannot express. */
const BEYOND_SHAPE = new Set([
  'max-tokens-positive', 'messages-not-empty', 'content-not-empty', 'tool-use-role', 'tool-result-role', 'results-alone',
  'uses-answered-next', 'use-has-result', 'result-matches-use', 'use-id-unique', 'result-unique', 'tool-names-unique',
  'required-needs-tools', 'result-role-assistant', 'result-no-tool-result', 'result-tool-offered', 'result-use-id-unique',
  'result-stop-tool-use', 'result-choice-required', 'result-max-tokens',
]);

/** What only the official schemas refuse: the place of an issue, and why we accept it. */
const THEIRS = [
  {
    where: /\/annotations\/lastModified$/,
    reason: 'The specification says SHOULD of ISO 8601, and its schema takes any string; a date in another form is no reason to refuse.',
  },
  {
    where: /\/execution(\/|$)/,
    reason: '`execution` is no member of a tool in 2026-07-28, so it is an unknown member.',
  },
  { where: /^\/task(\/|$)/, reason: '`task` is no member of the params in 2026-07-28, so it is an unknown member.' },
  {
    where: /^\/_meta\/(progressToken|io\.modelcontextprotocol\/related-task)/,
    reason: 'Embedded requests have no progress token; on a pushed request it belongs to the JSON-RPC layer.',
  },
];

/** What only we refuse: the rule and place of a finding, and why. */
const OURS = [
  { rule: 'resource-link', where: /\/size$/, reason: 'The JSON Schema says integer; the official one takes any number.' },
  { rule: 'input-schema', where: /\/\$schema$/, reason: 'The JSON Schema says string; the official one does not look.' },
];

/**
 * @param {object} how `seed`, `count`, and `request` and `result`, which give our findings
 * @returns `counts`, `unknown` differences, and the reasons that explained none
 */
export function compare({ seed, count, request, result }) {
  const r = random(seed);
  const used = new Set();
  const unknown = [];
  const counts = { accepted: 0, refused: 0, explained: 0 };
  for (let index = 0; index < count; index += 1) {
    const { kind, value } = generate(r);
    const sent = JSON.parse(JSON.stringify(value));
    const ours = (kind === 'request' ? request : result)(sent).errors.filter(({ rule }) => !BEYOND_SHAPE.has(rule));
    const schema = kind === 'request' ? CreateMessageRequestParamsSchema : CreateMessageResultWithToolsSchema;
    const theirs = schema.safeParse(sent).error?.issues ?? [];
    if ((ours.length === 0) === (theirs.length === 0)) counts[ours.length ? 'refused' : 'accepted'] += 1;
    else if (ours.length ? explainsOurs(ours, used) : explainsTheirs(theirs, used)) counts.explained += 1;
    else unknown.push({ kind, value: sent, ours, theirs });
  }
  return { counts, unknown: unknown.slice(0, 3), unused: [...THEIRS, ...OURS].filter((entry) => !used.has(entry)) };
}

function explainsOurs(findings, used) {
  return findings.every((finding) => note(OURS.find((entry) => entry.rule === finding.rule && entry.where.test(finding.path)), used));
}

function explainsTheirs(issues, used) {
  return issues.every((issue) => explained(issue, '', used));
}

/** An issue of a union is explained if all issues of one of its branches are. */
function explained(issue, place, used) {
  const path = [place, ...issue.path].join('/');
  if (issue.code === 'invalid_union' && issue.errors?.length) {
    return issue.errors.some((branch) => branch.every((inner) => explained(inner, path, used)));
  }
  return note(THEIRS.find((entry) => entry.where.test(path)), used);
}

function note(entry, used) {
  if (entry) used.add(entry);
  return Boolean(entry);
}

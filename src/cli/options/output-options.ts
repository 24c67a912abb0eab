import { outputFormats } from '../output/output.ts'
import type { OptionDefinition } from './definition.ts'

/** The options of how records and results are written. */
export const outputOptions: readonly OptionDefinition[] = [
  {
    name: 'output',
    short: 'o',
    value: 'FORMAT',
    choices: outputFormats,
    default: 'pretty',
    group: 'Output',
    commands: ['view'],
    summary: 'write records in this format',
    details:
      '`pretty` is for reading, `line` is one line for each record, `json` is one JSON object for each record, `raw` is the lines as they were read, `otlp` is OTLP/JSON lines.',
  },
  {
    name: 'output',
    short: 'o',
    value: 'FORMAT',
    choices: ['table', 'json'],
    default: 'table',
    group: 'Output',
    commands: ['stats', 'check'],
    summary: 'write the result in this format',
  },
  {
    name: 'include',
    short: 'i',
    value: 'KEY,…',
    isRepeatable: true,
    group: 'Output',
    commands: ['view'],
    summary: 'show only these attributes',
    details:
      'A key can be the path of a member (`user.id`) or an attribute of the resource. A `*` at its end matches any text: `http.*`.',
  },
  {
    name: 'exclude',
    short: 'x',
    value: 'KEY,…',
    isRepeatable: true,
    group: 'Output',
    commands: ['view'],
    summary: 'hide these attributes',
  },
  {
    name: 'time',
    value: 'FORMAT',
    suggestions: ['local', 'utc', 'iso', 'relative'],
    default: 'local',
    group: 'Output',
    commands: ['view', 'stats'],
    summary: 'show times as local, utc, iso, relative, or in a time zone such as Europe/Berlin',
    details:
      '`iso` is ISO 8601 in UTC; `relative` is the time since the first record. In the log view, the formats `json`, `logfmt` and `csv` have times in ISO 8601, in UTC unless this option is `local` or a time zone.',
  },
  {
    name: 'color',
    value: 'WHEN',
    choices: ['auto', 'always', 'never'],
    default: 'auto',
    group: 'Output',
    commands: ['view', 'stats', 'check'],
    summary: 'use colors: auto, always or never',
    details: '`auto` uses colors on a terminal, and respects NO_COLOR and FORCE_COLOR.',
  },
  {
    name: 'no-pager',
    short: 'P',
    group: 'Output',
    commands: ['view'],
    summary: 'do not show long output in a pager',
    details: 'Without this option, output on a terminal is shown by `$PAGER`, except with `--follow`.',
  },
  {
    name: 'redact',
    value: 'LIST',
    suggestions: ['credentials', 'jwt', 'card', 'email'],
    isRepeatable: true,
    group: 'Output',
    commands: ['view'],
    summary: 'redact secrets in what is shown: credentials,jwt,card,email',
    details:
      'The other patterns are `privateKey`, `connectionString`, `awsKey`, `githubToken`, `slackToken`, `stripeKey`, `googleApiKey`, `iban`, `ssn`, `phone` and `ipAddress`. `credentials` includes those from `privateKey` to `googleApiKey`.',
  },
  {
    name: 'exit-code',
    group: 'Output',
    commands: ['view'],
    summary: 'exit with 1 if no record matched',
  },
]

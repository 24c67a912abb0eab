import type { OptionDefinition } from './definition.ts'

/** The options that select records. */
export const filterOptions: readonly OptionDefinition[] = [
  {
    name: 'level',
    short: 'l',
    value: 'LEVEL',
    suggestions: ['trace', 'debug', 'info', 'warn', 'error', 'fatal'],
    group: 'Filter',
    commands: ['view', 'stats'],
    summary: 'show records of this level and of more severe levels',
    details:
      'The beginning of a name is enough, and names of other loggers work: `e`, `warning`, `critical`. A number is an OpenTelemetry severity number from 1 to 24. Records without a level count as `info`.',
  },
  {
    name: 'query',
    short: 'q',
    value: 'EXPR',
    isRepeatable: true,
    group: 'Filter',
    commands: ['view', 'stats'],
    summary: 'show records that match the query; with several queries, all must match',
    details: "Example: `-q 'level>=warn and http.response.status_code>=500'`.",
  },
  {
    name: 'since',
    value: 'TIME',
    suggestions: ['-1h', '-1d', 'today', 'yesterday'],
    group: 'Filter',
    commands: ['view', 'stats'],
    summary: 'show records of this time and later: 2026-03-01T10:30, 10:30, -15m or yesterday',
    details:
      'A TIME is a date and time in ISO 8601 (`2026-03-01`, `2026-03-01T10:30:00Z`), a time of today (`10:30`), a duration before now (`-3d`, `-1h30m`), `now`, `today` or `yesterday` (their beginning), or seconds since 1970. A time without an offset is in the time zone of `--time`.',
  },
  {
    name: 'until',
    value: 'TIME',
    suggestions: ['now', '-1h', 'today', 'yesterday'],
    group: 'Filter',
    commands: ['view', 'stats'],
    summary: 'show records before this time',
  },
  {
    name: 'trace',
    value: 'ID',
    group: 'Filter',
    commands: ['view', 'stats'],
    summary: 'show records of the trace with this ID',
    details:
      'The first 8 or more hexadecimal digits are enough. An ID in the form of a UUID and a decimal ID of Datadog also work.',
  },
  {
    name: 'trace-of',
    value: 'EXPR',
    group: 'Filter',
    commands: ['view'],
    summary: 'show all records of the traces in which a record matches the query',
    details:
      'All files are read twice: the traces of matching records are collected first. Standard input is copied to a temporary file that only you can read.',
  },
  {
    name: 'tail',
    short: 'n',
    value: 'N',
    group: 'Filter',
    commands: ['view'],
    summary:
      'show only the last N records that match; with --follow, start with the last N lines of each file (10 by default)',
    details: 'With `--follow`, lines that do not match count too, so fewer records can be shown first.',
  },
  {
    name: 'after-context',
    short: 'A',
    value: 'N',
    group: 'Filter',
    commands: ['view'],
    summary: 'also show N records after each match',
  },
  {
    name: 'before-context',
    short: 'B',
    value: 'N',
    group: 'Filter',
    commands: ['view'],
    summary: 'also show N records before each match',
  },
  {
    name: 'context',
    short: 'C',
    value: 'N',
    group: 'Filter',
    commands: ['view'],
    summary: 'also show N records before and after each match',
  },
]

import { formatNames } from '../../read/query/format-names.ts'
import type { OptionDefinition } from './definition.ts'

/** The options of how files are read, and in which order their records are shown. */
export const inputOptions: readonly OptionDefinition[] = [
  {
    name: 'follow',
    short: 'f',
    group: 'Input',
    commands: ['view'],
    summary: 'wait for more lines, also when files are rotated; a FILE may not exist yet',
    details: 'Several files are merged by time. Press Ctrl-C to exit.',
  },
  {
    name: 'input',
    value: 'FORMAT',
    choices: formatNames,
    default: 'detected for each line',
    group: 'Input',
    commands: ['view', 'stats', 'check'],
    summary: 'read all lines as this format',
  },
  {
    name: 'map',
    value: 'FIELD=KEY,…',
    isRepeatable: true,
    group: 'Input',
    commands: ['view', 'stats', 'check'],
    summary: 'read fields from these keys: level=severity,message=text',
    details:
      'A FIELD is `time`, `level`, `severity_number`, `message`, `event`, `scope`, `trace_id`, `span_id`, `trace_flags`, `exception`, `stack`, `attributes` or `resource`. A KEY can be the path of a member: `message=event.text`.',
  },
  {
    name: 'sort',
    short: 's',
    group: 'Order',
    commands: ['view'],
    summary: 'sort the records of all files by time; without it, files are shown one after the other',
  },
  {
    name: 'sync-window',
    value: 'DURATION',
    default: '200ms',
    group: 'Order',
    commands: ['view'],
    summary: 'with --follow, wait this long to merge several files by time',
  },
]

import type { OptionDefinition } from './definition.ts'

/** The options of what `sluice stats` counts and `sluice check` checks. */
export const summaryOptions: readonly OptionDefinition[] = [
  {
    name: 'by',
    value: 'KEY,…',
    suggestions: ['level', 'service', 'template'],
    default: 'level,service,template',
    isRepeatable: true,
    group: 'Summary',
    commands: ['stats'],
    summary: 'group records by level, service, template (the message without its values) or any key',
  },
  {
    name: 'percentiles',
    value: 'KEY,…',
    isRepeatable: true,
    group: 'Summary',
    commands: ['stats'],
    summary: 'show percentiles 50, 90, 95 and 99 of these attributes',
  },
  {
    name: 'interval',
    value: 'DURATION',
    default: 'a fraction of the time span',
    group: 'Summary',
    commands: ['stats'],
    summary: 'count records for each interval: 500ms, 30s, 5m, 1h or 1d',
  },
  {
    name: 'top',
    value: 'N',
    default: '20',
    group: 'Summary',
    commands: ['stats'],
    summary: 'show at most N groups in each table',
  },
  {
    name: 'sequence',
    value: 'KEY',
    group: 'Summary',
    commands: ['check'],
    summary: 'check that the numbers of this attribute are complete',
  },
]

import type { OptionDefinition } from './definition.ts'

/** The options of `sluice ui`. */
export const uiOptions: readonly OptionDefinition[] = [
  {
    name: 'port',
    value: 'PORT',
    default: '4318',
    group: 'Viewer',
    commands: ['ui'],
    summary: 'listen on this port; 0 for a free one',
  },
  {
    name: 'host',
    value: 'ADDRESS',
    default: '127.0.0.1',
    group: 'Viewer',
    commands: ['ui'],
    summary: 'listen on this address; other machines need a token',
  },
  {
    name: 'token',
    value: 'TOKEN',
    default: '$SLUICE_UI_TOKEN',
    group: 'Viewer',
    commands: ['ui'],
    summary: 'require this secret, of at least 32 characters, for the page and for telemetry',
    details:
      'Other users of the machine see the arguments of all processes, so set the variable `SLUICE_UI_TOKEN` where there are any.',
  },
  {
    name: 'max-memory',
    value: 'SIZE',
    suggestions: ['64MB', '256MB', '1GB'],
    default: '256MB',
    group: 'Viewer',
    commands: ['ui'],
    summary: 'keep records in at most this memory; the oldest are removed',
  },
  {
    name: 'db',
    value: 'FILE',
    group: 'Viewer',
    commands: ['ui'],
    summary: 'save what is received in this file, a SQLite database, which can be opened again',
    details:
      'A request is answered when its records have been saved, so they survive also when the viewer is killed. The newest records are read into memory; older ones are searched in the file. Files that are named on the command line are not saved. Requires `node:sqlite` (Node 22.15).',
  },
  {
    name: 'max-db',
    value: 'SIZE',
    suggestions: ['256MB', '1GB', '4GB'],
    default: '1GB',
    group: 'Viewer',
    commands: ['ui'],
    summary: 'the maximum size of the database; the oldest records are deleted',
  },
]

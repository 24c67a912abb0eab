import type { CommandDefinition, CommandName } from './definition.ts'

const standardInput = 'Without a FILE, and for the FILE `-`, standard input is read.'

/** All commands. The help, the man page, the shell completions and the reference page are derived from this table. */
export const commands: readonly CommandDefinition[] = [
  {
    name: 'view',
    operands: '[FILE…]',
    completes: 'file',
    summary: 'show, follow and search log files',
    details: [
      'Shows the records of log files. The format of each line is detected: JSON lines of Node loggers, OTLP, logfmt, container logs, syslog and others. Lines of no known format are shown unchanged. Files compressed with gzip, Zstandard or Brotli are decompressed.',
      standardInput,
    ],
    examples: [
      { command: 'sluice app.log', comment: 'show a log' },
      { command: 'node server.js | sluice', comment: 'show the log of a program while it runs' },
      { command: 'sluice -f app.log', comment: 'show the last records and follow the file' },
      { command: 'sluice -l error app.log*', comment: 'show errors, also in compressed files' },
    ],
  },
  {
    name: 'stats',
    operands: '[FILE…]',
    completes: 'file',
    summary: 'count records by level, service and message',
    details: ['Counts the records of log files, and groups messages that differ only in their values.', standardInput],
    examples: [
      { command: 'sluice stats app.log', comment: 'summarize a log' },
      {
        command: 'sluice stats --percentiles duration app.log',
        comment: 'also show percentiles of the attribute `duration`',
      },
    ],
  },
  {
    name: 'check',
    operands: '[FILE…]',
    completes: 'file',
    summary: 'check that log files are complete and valid',
    details: [
      'Checks that each line is valid, and adds up the losses and cuts that the log itself reports.',
      standardInput,
    ],
    examples: [{ command: 'sluice check --sequence seq app.log', comment: 'find missing records' }],
  },
  {
    name: 'ui',
    operands: '[FILE…] [-- COMMAND…]',
    completes: 'file',
    summary: 'show logs in the browser while they are written',
    details: [
      'Starts a local viewer that receives logs and traces of OpenTelemetry (OTLP over HTTP, protobuf and JSON), and follows FILEs; the FILE `-` is standard input, which is also read without FILE and COMMAND if it is redirected. Records are kept in memory.',
      'After `--`, COMMAND is started with the variables that make OpenTelemetry SDKs send to the viewer. Its output is shown in the terminal and in the viewer. The exit code is that of COMMAND.',
    ],
    examples: [
      { command: 'sluice ui -- npm run dev', comment: 'start a program and show its logs' },
      { command: 'sluice ui app.log worker.log', comment: 'follow files' },
      { command: 'sluice ui', comment: 'receive OTLP on port 4318' },
    ],
  },
  {
    name: 'level',
    operands: '[DIRECTIVES]',
    completes: [],
    summary: 'show and change the levels of a running process',
    details: [
      'Sends DIRECTIVES, such as `db.*=debug`, to the levels handler of a running process, and shows its directives and the level of each logger. Without DIRECTIVES, it only shows them. Quote directives, because shells expand `*` and `[`.',
      'The token is read from the environment variable `SLUICE_LEVEL_TOKEN` or from a file. It cannot be an argument: other users of the machine see the arguments of all processes, and shells store them in their history.',
    ],
    examples: [
      {
        command: "sluice level --url http://localhost:9090/levels 'db.*=debug'",
        comment: 'log more for 10 minutes',
      },
      { command: 'sluice level --url http://localhost:9090/levels', comment: 'show the levels' },
      { command: 'sluice level --url http://localhost:9090/levels --revert all', comment: 'revert all changes' },
    ],
  },
  {
    name: 'codemod',
    operands: 'pino FILE…',
    completes: 'file',
    summary: 'migrate source code from pino',
    details: [
      'Rewrites imports of pino to `sluice/pino`, and lists the places to check manually. FILE is a source file or a directory.',
    ],
    examples: [
      { command: 'sluice codemod pino src test', comment: 'list the changes' },
      { command: 'sluice codemod pino --write src test', comment: 'change the files' },
    ],
  },
  {
    name: 'completions',
    operands: 'bash|zsh|fish',
    completes: ['bash', 'zsh', 'fish'],
    summary: 'print a completion script for a shell',
    details: ['Prints a script that completes commands, options and their values.'],
    examples: [
      { command: 'source <(sluice completions bash)', comment: 'in ~/.bashrc' },
      { command: 'source <(sluice completions zsh)', comment: 'in ~/.zshrc, after compinit' },
      { command: 'sluice completions fish | source', comment: 'in ~/.config/fish/config.fish' },
    ],
  },
  {
    name: 'help',
    operands: '[COMMAND]',
    completes: ['stats', 'check', 'ui', 'level', 'codemod', 'completions'],
    summary: 'show the help of a command',
    details: ['Shows the help of a command. Without a COMMAND, it shows the commands and the options of the log view.'],
    examples: [],
  },
]

/** The names with which an argument selects a command. */
export const commandWords: readonly CommandName[] = commands.flatMap(({ name }) => (name === 'view' ? [] : [name]))

/** Returns the definition of a command. */
export function commandOf(name: CommandName): CommandDefinition {
  return commands.find((command) => command.name === name)!
}

// The commands of the program `sluice` that the documentation shows as pictures.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))
const logs = fileURLToPath(new URL('../../docs/examples/logs', import.meta.url))

/** The pictures: the name, the title, the width in columns and the arguments of the command. */
export const commands: readonly (readonly [name: string, title: string, columns: number, args: readonly string[]])[] = [
  ['sorted', 'Records of two files, sorted by time', 80, ['-s', 'app.log', 'worker.log']],
  [
    'traces',
    'All records of the traces in which an error occurred',
    80,
    ['--trace-of', 'level>=error', 'app.log', 'worker.log'],
  ],
  ['stats', 'Counts by level and message', 110, ['stats', 'app.log', 'worker.log']],
]

/** Returns what a terminal shows after a command: the command itself and its output, in color. */
export function commandText(args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args, '--color', 'always'], {
    cwd: logs,
    encoding: 'utf8',
    env: { ...process.env, TZ: 'UTC', NODE_NO_WARNINGS: '1' },
  })
  if (status !== 0 || stderr !== '') throw new Error(`sluice ${args.join(' ')} failed: ${stderr}`)
  const shown = args.map((argument) => (/[<>|() ]/.test(argument) ? `'${argument}'` : argument))
  return `$ sluice ${shown.join(' ')}\n${stdout}`
}

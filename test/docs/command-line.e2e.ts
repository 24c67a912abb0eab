import { describe, expect, test } from '@jest/globals'
import { spawnSync, type SpawnSyncReturns } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tableUnder } from './blocks.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const program = join(root, 'src/cli/main.ts')

/** Blocks of a command line and its output. */
const blocks = ['docs/guides/command-line.md', 'docs/reference/query-language.md'].flatMap((page) =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/^```console\n\$ (.*)\n([^]*?)^```/gm)].map(
    ([, command, output]) => ({ page, command: command!, output: output! }),
  ),
)

const guide = readFileSync(join(root, 'docs/guides/command-line.md'), 'utf8')

/** The commands for users of other programs, and the first ten. Programs that are not installed, and following, are replaced. */
const listed = [
  ...tableUnder('Coming from other tools', guide).map((row) => row[1]!.replace(/^`|`$/g, '')),
  .../^## Ten commands\n\n```sh\n([^]*?)^```/m.exec(guide)![1]!.trim().split('\n'),
].map((command) =>
  command.replace('node server.js', 'cat app.log').replace('sluice -f', 'sluice').replace('jq .message', 'cat'),
)

describe('commands of the documentation', () => {
  test.each(listed)('`%s` is a valid command', (command) => {
    const { stdout, stderr, status } = runShell(command)
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 })
    // No record of the examples is of the last hour, or has such a text.
    expect(stdout !== '' || /-1h|time \?out|dev.null/.test(command)).toBe(true)
  })

  test('are found', () => expect(blocks.length).toBeGreaterThan(10))

  test.each(blocks)('$page: `$command` prints the output that the page shows', ({ command, output }) => {
    const { stdout, stderr } = runShell(command)
    expect(stdout + stderr).toBe(output)
  })
})

function runShell(command: string): SpawnSyncReturns<string> {
  // The function gives the shell the name of the program without an installation.
  const script = `sluice() { "$0" --disable-warning=ExperimentalWarning "${program}" "$@"; }; ${command}`
  return spawnSync('bash', ['-c', script, process.execPath], {
    cwd: join(root, 'docs/examples/logs'),
    encoding: 'utf8',
    env: { ...process.env, TZ: 'UTC', NO_COLOR: '1' },
  })
}

import { describe, expect, test } from '@jest/globals'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const program = join(root, 'src/cli/main.ts')

/** Blocks of a command line and its output. */
const blocks = ['docs/guides/command-line.md', 'docs/reference/query-language.md'].flatMap((page) =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/^```console\n\$ (.*)\n([^]*?)^```/gm)].map(
    ([, command, output]) => ({ page, command: command!, output: output! }),
  ),
)

describe('commands of the documentation', () => {
  test('are found', () => expect(blocks.length).toBeGreaterThan(10))

  test.each(blocks)('$page: `$command` prints the output that the page shows', ({ command, output }) => {
    // The function gives the shell the name of the program without an installation.
    const script = `sluice() { "$0" --disable-warning=ExperimentalWarning "${program}" "$@"; }; ${command}`
    const { stdout, stderr } = spawnSync('bash', ['-c', script, process.execPath], {
      cwd: join(root, 'docs/examples/logs'),
      encoding: 'utf8',
      env: { ...process.env, TZ: 'UTC', NO_COLOR: '1' },
    })
    expect(stdout + stderr).toBe(output)
  })
})

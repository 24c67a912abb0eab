import { afterAll, afterEach, beforeAll, describe, expect } from '@jest/globals'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { temporaryDirectory } from '../../support/files/pipes.ts'
import { needs } from '../../support/needs.ts'
import { startInTmux, type TmuxTerminal } from '../../support/processes/tmux.ts'

const program = fileURLToPath(new URL('../../../src/cli/main.ts', import.meta.url))
const sluice = `"${process.execPath}" --disable-warning=ExperimentalWarning "${program}"`
const directory = temporaryDirectory()
const longLog = directory.path('long.log')
const hugeLog = directory.path('huge.log')
const shortLog = directory.path('short.log')
const line = (message: string, level = 'info') =>
  `{"timestamp":"2026-01-02T03:04:05.678Z","level":"${level}","message":${JSON.stringify(message)},"attributes":{"n":1}}\n`
const lines = (count: number) => Array.from({ length: count }, (_, index) => line(`record ${index + 1}.`)).join('')

const hasTools = spawnSync('tmux', ['-V']).status === 0 && spawnSync('less', ['-V']).status === 0
const itInTmux = needs('tmux and less', hasTools)

let terminal: TmuxTerminal | undefined

beforeAll(() => {
  writeFileSync(shortLog, lines(3))
  writeFileSync(longLog, lines(2_000))
  writeFileSync(hugeLog, lines(200_000))
})
afterEach(() => terminal?.close())
afterAll(() => directory.remove())

/** Runs sluice in a terminal of 80 columns and 24 rows, without the settings of the user. */
function start(command: string, env: Readonly<Record<string, string>> = {}): TmuxTerminal {
  const unset = ['PAGER', 'SLUICE_PAGER', 'LESS', 'NO_COLOR', 'FORCE_COLOR'].filter((name) => !Object.hasOwn(env, name))
  terminal = startInTmux(`unset ${unset.join(' ')}; ${command}`, { TZ: 'UTC', ...env })
  return terminal
}

/** Waits for the end of sluice, and checks that keys are shown again, line by line, as a shell needs it. */
async function expectEnd(shown: TmuxTerminal, code: number): Promise<void> {
  await shown.untilShown(`code=${code}`)
  shown.press('stty -a; echo te""st', 'Enter')
  await shown.untilShown('test')
  expect(shown.screen()).toMatch(/(?:^|\s)icanon\b/)
  expect(shown.screen()).toMatch(/(?:^|\s)echo\b/)
}

describe('pager', () => {
  itInTmux('shows long output page by page, and ends with 0 when it is quit after the end', async () => {
    const shown = start(`${sluice} ${longLog}`)
    await shown.untilShown('record 20.')
    expect(shown.screen()).not.toContain('record 100.')
    expect(shown.screen()).toMatch(/^── 2026-01-02 ──\n03:04:05\.678 INFO {2}record 1\. {2}n=1\n/)
    shown.press('G')
    await shown.untilShown('record 2000.')
    shown.press('q')
    await expectEnd(shown, 0)
  })

  itInTmux('ends with 0 when the pager is quit before the end of the input', async () => {
    const shown = start(`${sluice} ${hugeLog}`)
    await shown.untilShown('record 20.')
    shown.press('q')
    await expectEnd(shown, 0)
  })

  itInTmux('leaves Ctrl+C to the pager, and the terminal in its usual state', async () => {
    const shown = start(`${sluice} ${longLog}`)
    await shown.untilShown('record 20.')
    shown.press('C-c')
    shown.press('G')
    await shown.untilShown('record 2000.')
    shown.press('C-c')
    shown.press('g')
    await shown.untilShown('record 1.')
    expect(shown.screen()).not.toContain('code=')
    shown.press('q')
    await expectEnd(shown, 0)
  })

  itInTmux('colors text in the pager', async () => {
    const shown = start(`${sluice} ${longLog}`)
    await shown.untilShown('record 20.')
    expect(shown.screen(true)).toContain('\u001b[32mINFO')
  })

  itInTmux('writes less than a screen without a pager', async () => {
    const shown = start(`${sluice} ${shortLog}`, { SLUICE_PAGER: 'sh -c "echo paged"' })
    await shown.untilShown('code=0')
    expect(shown.screen()).toContain('record 3.')
    expect(shown.screen()).not.toContain('paged')
  })

  itInTmux.each([
    { name: '-P', flags: '-P', env: { PAGER: 'sh -c "echo paged"' } },
    { name: 'cat', flags: '', env: { PAGER: 'cat' } },
    { name: 'a missing pager', flags: '', env: { PAGER: 'sluice-missing-pager -x' } },
    { name: 'a missing pager that a shell runs', flags: '', env: { PAGER: 'A=1 sluice-missing-pager 2>/dev/null' } },
  ])('writes all output directly, and reports only a missing pager, with $name', async ({ flags, env }) => {
    const shown = start(`${sluice} ${flags} ${longLog}`, env)
    await shown.untilShown('code=0')
    const text = shown.screen()
    expect(text).toContain('record 2000.')
    expect(text).toContain('record 1999.')
    expect(text).not.toContain('paged')
    expect(text.includes('sluice: the pager could not be started')).toBe(env.PAGER?.includes('missing') ?? false)
  })

  itInTmux('runs a pager with shell characters by the shell', async () => {
    const shown = start(`${sluice} ${longLog}`, { PAGER: 'sed "s/record/paged/" | less' })
    await shown.untilShown('paged 20.')
    shown.press('q')
    await expectEnd(shown, 0)
  })

  itInTmux('shows the lines of a running program as they come, without a pager', async () => {
    const shown = start(`(head -2 ${longLog}; read key; cat ${longLog}) </dev/tty | ${sluice}`)
    await shown.untilShown('record 2.')
    shown.press('Enter')
    await shown.untilShown('code=0')
    expect(shown.screen()).toContain('record 2000.')
  })

  itInTmux('shows lines again at the new width after a resize while it follows a file', async () => {
    const wide = directory.path('wide.log')
    const text = 'word '.repeat(12).trim()
    const record = `{"timestamp":"2026-01-02T03:04:05.678Z","level":"info","message":"m","attributes":{"a":"${text}","b":"${text}"}}\n`
    writeFileSync(wide, record)
    const shown = start(`${sluice} -f ${wide}`)
    await shown.untilShown('b="word')
    expect(shown.screen()).toMatch(/ {4}b="word/)
    shown.resize(200, 24)
    // The program receives the signal of the resize asynchronously.
    await new Promise((resolve) => setTimeout(resolve, 500))
    writeFileSync(wide, record, { flag: 'a' })
    await shown.untilShown('" b="word')
    shown.press('C-c')
    await shown.untilShown('code=')
  })

  itInTmux('escapes control characters of data in the pager', async () => {
    const evil = directory.path('evil.log')
    writeFileSync(evil, line('\u001b[8mhidden\u001b]0;title\u0007') + '\u001b[2Jtext\u0007\n' + lines(100))
    const shown = start(`${sluice} ${evil}`)
    await shown.untilShown('record 10.')
    expect(shown.screen()).toContain('\\u001b[8mhidden\\u001b]0;title\\u0007')
    expect(shown.screen()).toContain('\\u001b[2Jtext\\u0007')
  })
})

describe('a terminal as standard input', () => {
  itInTmux('shows the help without arguments', async () => {
    const shown = start(`${sluice} | head -2`)
    await shown.untilShown('code=0')
    expect(shown.screen()).toContain('Usage: sluice [OPTION…] [FILE…]')
  })

  itInTmux.each(['stats', 'check'])('is not read by sluice %s', async (command) => {
    const shown = start(`${sluice} ${command}`)
    await shown.untilShown('code=2')
    expect(shown.screen()).toContain(`sluice: ${command}: write the files to read, such as sluice ${command} app.log`)
  })
})

describe('a terminal that has no size', () => {
  itInTmux('shows a summary in 80 columns', async () => {
    const shown = start(`stty cols 0; ${sluice} stats --time utc ${shortLog}`)
    await shown.untilShown('code=0')
    expect(shown.screen()).toMatch(/^info +3 +100\.0 +03:04:05 +03:04:05 +record <num>\.$/m)
  })
})

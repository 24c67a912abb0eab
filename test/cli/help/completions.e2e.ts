import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { completionScript } from '../../../src/cli/completions.ts'
import { needs } from '../../support/needs.ts'

/** A command line up to the cursor, and the one completion of its last word. */
const cases = [
  ['sluice --fol', '--follow'],
  ['sluice app.log --output ps', undefined],
  ['sluice app.log --output log', 'logfmt'],
  ['sluice -o ot', 'otlp'],
  ['sluice --color alw', 'always'],
  ['sluice -l err', 'error'],
  ['sluice sta', 'stats'],
  ['sluice stats --perc', '--percentiles'],
  ['sluice stats --by serv', 'service'],
  ['sluice stats -o js', 'json'],
  ['sluice stats --by level,serv', 'level,service'],
  ['sluice --redact credentials,card,conn', 'credentials,card,connectionString'],
  ['sluice --redact em', 'email'],
  ['sluice stats --by level,x', undefined],
  ['sluice check --seq', '--sequence'],
  ['sluice codemod pi', 'pino'],
  ['sluice codemod pino --wr', '--write'],
  ['sluice lev', 'level'],
  ['sluice level --tok', '--token-file'],
  ['sluice level --revert a', 'all'],
  ['sluice completions fi', 'fish'],
  ['sluice help comp', 'completions'],
  ['sluice serv', 'server-1.log'],
  ['sluice stats serv', 'server-1.log'],
  ['sluice check --folo', undefined],
] as const

const has = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0
let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-completions-'))
  writeFileSync(join(folder, 'server-1.log'), '')
  for (const shell of ['bash', 'zsh', 'fish']) writeFileSync(join(folder, `sluice.${shell}`), completionScript([shell]))
})

afterAll(() => rmSync(folder, { recursive: true }))

describe('bash', () => {
  test.each(cases)('completes %j', (line, expected) => {
    const words = line.split(' ')
    const script = [
      'source sluice.bash',
      `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})`,
      `COMP_CWORD=${words.length - 1}`,
      '_sluice',
      'printf "%s\\n" "${COMPREPLY[@]}"',
    ].join('\n')
    expect(run('bash', ['--norc', '-c', script])).toEqual(expected === undefined ? [] : [expected])
  })

  test('completes the value after an equals sign, which is a word for bash', () => {
    const script = `source sluice.bash; COMP_WORDS=(sluice --output = log); COMP_CWORD=3; _sluice; echo "\${COMPREPLY[@]}"`
    expect(run('bash', ['--norc', '-c', script])).toEqual(['logfmt'])
  })
})

describe('fish', () => {
  const withFish = needs('fish', has('fish'))
  withFish.each(cases)('completes %j', (line, expected) => {
    const output = run('fish', ['--no-config', '-c', `source sluice.fish; complete -C '${line}'`])
    const words = output.map((text) => text.split('\t')[0])
    expect(words).toEqual(expected === undefined ? [] : [expected])
  })
})

describe('zsh', () => {
  const withZsh = needs('zsh', has('zsh'))
  withZsh('completes all command lines', () => {
    const typed = cases.map(([line]) => `complete_line ${JSON.stringify(line)}`)
    const output = run('zsh', ['-f', '-c', [typist, ...typed].join('\n')])
    const expected = cases.map(([line, word]) => (word === undefined ? line : line.replace(/\S+$/, word)))
    expect(output.map((line) => line.replace(/[ =,]*$/, ''))).toEqual(expected)
  })

  withZsh('loads the script from fpath under the name _sluice', () => {
    writeFileSync(join(folder, '_sluice'), completionScript(['zsh']))
    const script = 'fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -d .zcompdump; echo $_comps[sluice]'
    expect(run('zsh', ['-f', '-c', script])).toEqual(['_sluice'])
  })
})

/** Types command lines and a tab into another zsh, and prints what the line is then. */
const typist = String.raw`
zmodload zsh/zpty
zpty shell "TERM=dumb zsh -f -i"
setup=(
  'PROMPT=; stty cols 500; unsetopt beep prompt_cr prompt_sp'
  'autoload -Uz compinit; compinit -u -D; source sluice.zsh'
  'show() { print -rn -- "<line>$BUFFER</line>"; BUFFER=; }; zle -N show; bindkey "^I" complete-word; bindkey "^T" show'
  'zle-line-init() { print -rn rea""dy }; zle -N zle-line-init'
)
zpty -w shell "${'$'}{(j:; :)setup}"
zpty -r shell REPLY '*ready*'
complete_line() {
  zpty -w -n shell "$1"$'\t\x14'
  zpty -r shell REPLY '*</line>*'
  REPLY="${'$'}{REPLY##*<line>}"
  print -r -- "${'$'}{REPLY%%</line>*}"
}
`

function run(shell: string, args: readonly string[]): string[] {
  const output = execFileSync(shell, args, {
    cwd: folder,
    encoding: 'utf8',
    timeout: 30_000,
    env: { ...process.env, HOME: folder },
  })
  return output.split('\n').filter((line) => line !== '')
}

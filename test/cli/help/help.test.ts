import { expect, test } from '@jest/globals'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { environment } from '../../../src/cli/help/environment.ts'
import { exitCodes } from '../../../src/cli/help/exit-codes.ts'
import { helpText } from '../../../src/cli/help/help-text.ts'
import { manPage } from '../../../src/cli/help/man-page.ts'
import { referencePage } from '../../../src/cli/help/reference-page.ts'
import { commands, commandWords } from '../../../src/cli/options/command-table.ts'
import { mappableFields } from '../../../src/read/formats/json.ts'
import { patternPresets } from '../../../src/redact/patterns/presets.ts'
import { options } from '../../../src/cli/options/option-table.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

test.each(commands.map(({ name }) => name))(
  'the help of the command %s has its options and no line over 80 columns',
  (name) => {
    const text = helpText(name)
    for (const option of options) {
      const form = `--${option.name}${option.value === undefined ? '' : ` ${option.value}`}`
      const isShown = text.split('\n').some(
        (line) =>
          line
            .trim()
            .replace(/^-\w, /, '')
            .replace(/ {2,}.*/, '') === form,
      )
      const isOfCommand = options.some(
        (other) => other.name === option.name && other.value === option.value && other.commands.includes(name),
      )
      expect([form, isShown]).toEqual([form, isOfCommand])
    }
    expect(text.split('\n').filter((line) => line.length > 80)).toEqual([])
  },
)

test('the help of the view names all commands', () => {
  for (const word of commandWords) expect(helpText('view')).toMatch(new RegExp(`^  ${word} +\\w`, 'm'))
})

test('the description of --map has all names of fields', () => {
  // The others are synonyms.
  const expected = mappableFields.filter((field) => !['timestamp', 'severity', 'msg', 'body', 'logger'].includes(field))
  const words = options.find(({ name }) => name === 'map')!.details!.match(/\w+/g)!
  expect(expected.filter((name) => !words.includes(name))).toEqual([])
})

test('the help of --redact and its completions have the names of all patterns', () => {
  const presets = Object.keys(patternPresets)
  expect(options.find(({ name }) => name === 'redact')!.suggestions!.toSorted()).toEqual(presets.toSorted())
  const text = helpText('view').replaceAll(/\s+/g, ' ')
  expect(presets.filter((name) => !text.includes(` ${name},`) && !text.includes(` ${name} (`))).toEqual([])
})

test('the help and the man page have the exit codes, the environment and the options that only other commands have', () => {
  const [text, page] = [helpText('view'), manPage()]
  for (const [name] of environment) {
    expect(text).toMatch(new RegExp(`^  ${name} +[A-Z]`, 'm'))
    expect(page).toContain(`.B ${name}\n`)
  }
  for (const { code } of exitCodes) {
    expect(text).toMatch(new RegExp(`^  ${code} +[A-Z]`, 'm'))
    expect(page).toContain(`.B ${code}\n`)
  }
  expect(options.filter(({ name }) => !text.includes(`--${name}`))).toEqual([])
  for (const { command } of commands.flatMap(({ examples }) => examples)) {
    expect(page.slice(page.indexOf('.SH EXAMPLES'))).toContain(command.replaceAll('-', '\\-').replaceAll("'", '\\(aq'))
  }
})

test('the man page has every option and command', () => {
  const page = manPage()
  for (const { name } of options) expect(page).toContain(`\\fB\\-\\-${name.replaceAll('-', '\\-')}\\fR`)
  for (const word of commandWords) expect(page).toContain(`.SH ${word.toUpperCase()}\n`)
})

test('the reference page matches the option table', () => {
  const path = 'docs/reference/command-line-options.md'
  const oxfmt = `${root}/node_modules/oxfmt/bin/oxfmt`
  const { stdout } = spawnSync(process.execPath, [oxfmt, '--stdin-filepath', path], {
    cwd: root,
    input: referencePage(),
    encoding: 'utf8',
  })
  expect(readFileSync(`${root}/${path}`, 'utf8')).toBe(stdout)
})

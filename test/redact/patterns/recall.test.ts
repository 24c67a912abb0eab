import { expect, test } from '@jest/globals'
import { readFileSync } from 'node:fs'
import { patternPresets, type PatternPresetName } from '../../../src/redact/patterns/presets.ts'
import { createPresetPattern, TextPatterns } from '../../../src/redact/patterns/text-patterns.ts'
import { published } from './published.ts'
import { tokenFormats } from './token-formats.ts'

const names = Object.keys(patternPresets) as PatternPresetName[]

/** Returns the row of a preset in the table of the guide. */
function row(name: PatternPresetName): string {
  const patterns = new TextPatterns([createPresetPattern(name, '[R]')])
  const sources = published[name].map(({ source, secrets }) => {
    const found = secrets.filter(([text, secret]) => !patterns.redact(text).includes(secret)).length
    return `${source} ${found}/${secrets.length}`
  })
  const harmless = published[name].flatMap((source) => source.harmless)
  const mistakes = harmless.filter((text) => patterns.redact(text) !== text).length
  return `| \`${name}\` | ${sources.join(', ')} | ${mistakes}/${harmless.length} |`
}

const reference = readFileSync(new URL('../../../docs/reference/redaction.md', import.meta.url), 'utf8')

test('the reference states the recall and the false positives of each preset', () => {
  const rows = reference.split('\n').filter((line) => /^\| `\w+` +\| [A-Za-z-]+ \d+\/\d+/.test(line))
  expect(rows.map((line) => line.replaceAll(/ +/g, ' '))).toEqual(names.map(row))
})

test('the reference names the token formats of gitleaks that the preset credentials misses', () => {
  const patterns = new TextPatterns([createPresetPattern('credentials', '[R]')])
  const { secrets } = published.credentials.find(({ source }) => source === 'gitleaks')!
  const missed = tokenFormats.filter((_, index) => {
    const [text, secret] = secrets[index]!
    return patterns.redact(text).includes(secret)
  })
  const sentence = /`credentials` misses (`[^.]+)\./.exec(reference)![1]!
  expect([...sentence.matchAll(/`([^`]+)`/g)].map(([, name]) => name)).toEqual(missed.map(({ name }) => name))
})

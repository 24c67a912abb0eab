import { afterAll, describe, expect, test } from '@jest/globals'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { wordRules } from '../../scripts/prose/words.ts'

const script = fileURLToPath(new URL('../../scripts/prose.ts', import.meta.url))
const directory = mkdtempSync(join(tmpdir(), 'sluice-prose-'))

afterAll(() => rmSync(directory, { recursive: true }))

// One word is no prose, so this file passes the check itself.
const forbidden = 'told'
const misspelled = 'recieve'
const retired = 'LevelCell'

/** Words that the check refuses, each with the end of the line that it prints. */
const refused = [
  {
    kind: 'a word that is not used',
    word: forbidden,
    output: `words: "${forbidden}" → write, log, set, add, report or specify`,
  },
  { kind: 'a misspelled word', word: misspelled, output: `spelling: "${misspelled}" is misspelled → receive` },
  { kind: 'a retired name', word: retired, output: `names: "${retired}" is retired → InheritedLevel` },
]

/** Files with one of these words on the third line. */
const places: { place: string; name: string; textWith: (word: string) => string }[] = [
  { place: 'a paragraph', name: 'paragraph.md', textWith: (word) => `# Levels\n\nThe level is ${word} here.\n` },
  { place: 'a table', name: 'table.md', textWith: (word) => `| Level |\n| --- |\n| a level, ${word} |\n` },
  { place: 'a link', name: 'link.md', textWith: (word) => `# Levels\n\n[The level ${word}](https://example.com)\n` },
  { place: 'TSDoc', name: 'tsdoc.ts', textWith: (word) => `/**\n * A level.\n * It is ${word}. */\nconst level = 1\n` },
  {
    place: 'a line comment',
    name: 'line.ts',
    textWith: (word) => `const level = 1\n// A level, which\n// is ${word}.\n`,
  },
  { place: 'the title of a test', name: 'title.ts', textWith: (word) => `\n\ntest('${word}', () => {})\n` },
  {
    place: 'a title with values',
    name: 'titles.ts',
    textWith: (word) => `\n\nit.each([1])(\`\${1} ${word}\`, () => {})\n`,
  },
  { place: 'a message', name: 'message.ts', textWith: (word) => `\n\nthrow new Error('the level is ${word}')\n` },
  {
    place: 'a template',
    name: 'template.ts',
    textWith: (word) => `\n\nthrow new Error(\`the level \${1} is ${word}\`)\n`,
  },
  { place: 'JavaScript', name: 'comment.js', textWith: (word) => `\n\n// The level is ${word} here.\n` },
]

const names = [
  { place: 'an identifier', name: 'identifier.ts', text: '\n\nconst LevelCell = 1\n', output: 'names: "LevelCell"' },
  {
    place: 'a part of an identifier',
    name: 'part.ts',
    text: '\n\nconst levelTold = 1\n',
    output: 'names: "levelTold"',
  },
  { place: 'a private member', name: 'private.ts', text: '\n\nclass A { #told = 1 }\n', output: 'names: "told"' },
  { place: 'a type', name: 'type.ts', text: '\n\ninterface LevelTold {}\n', output: 'names: "LevelTold"' },
  { place: 'inline code', name: 'inline.md', text: '# Levels\n\nSee `levelTold`.\n', output: 'names: "levelTold"' },
  { place: 'a code block', name: 'block.md', text: '```ts\n\nnew LevelCell()\n```\n', output: 'names: "LevelCell"' },
  { place: 'an identifier', name: 'spelling.ts', text: '\n\nconst isRecieved = 1\n', output: 'spelling: "Recieved"' },
]

const findings = [
  ...refused.flatMap(({ kind, word, output }, row) =>
    places.map(({ place, name, textWith }) => ({ kind, place, output, path: seed(`${row}/${name}`, textWith(word)) })),
  ),
  ...names.map(({ place, name, text, output }) => {
    const kind = output.startsWith('names') ? 'a retired name' : 'a misspelled name'
    return { kind, place, output, path: seed(name, text) }
  }),
]
const result = run(...findings.map(({ path }) => path))

test.each(findings)('$kind in $place is reported with its line', ({ path, output }) => {
  const [report, ...others] = result.stdout.split('\n').filter((line) => line.startsWith(`${path}:`))
  expect(report).toContain(`${path}:3:`)
  expect(report).toContain(output)
  expect(others).toEqual([])
})

test('findings fail the check', () => {
  expect(result.stdout).toMatch(new RegExp(`^${findings.length} findings in ${findings.length} files$`, 'm'))
  expect(result.status).toBe(1)
})

test('a retired name of a file is reported', () => {
  const name = 'level-ledger'
  const path = seed(`${name}.ts`, 'const level = 1\n')
  expect(run(path).stdout).toContain(`${path}:1:1: names: the file name "${name}" is retired → DeliveryStats`)
})

test('a source file that cannot be parsed fails the check', () => {
  const { status, stdout } = run(seed('broken.ts', 'const = 1\n'))
  expect(stdout).toContain('broken.ts: Unexpected token')
  expect(status).toBe(1)
})

test('correct texts pass, and code in them is not checked as prose', () => {
  const page = `# Levels\n\nA record has a level. \`is ${misspelled}\` is code.\n\n\`\`\`ts\nlog('${forbidden}')\n\`\`\`\n`
  const source = [
    '/**',
    ` * Returns the level of \`${forbidden}\`, see {@link ${misspelled}}.`,
    ' */',
    `export const level = '${forbidden}'`,
    `log.info(\`a level \${levels['${forbidden}']} in a text\`)`,
    '',
  ]
  const { status, stdout } = run(seed('correct.md', page), seed('correct.ts', source.join('\n')))
  expect(stdout).toBe('0 findings in 2 files\n')
  expect(status).toBe(0)
})

test('a comment that ignores a word of its file has no effect on other words', () => {
  const source = `// cspell:ignore ${misspelled}\nconst ${misspelled} = 1\nconst ${misspelled}d = 2\n`
  const path = seed('ignored.ts', source)
  const [report, count] = run(path).stdout.split('\n')
  expect(report).toContain(`${path}:3:7: spelling: "${misspelled}d"`)
  expect(count).toBe('1 findings in 1 files')
})

describe('rules for words', () => {
  const examples = wordRules.flatMap(({ find, wrong, right }) => [
    ...wrong.map((text) => ({ text, found: 'a word', find, isFound: true })),
    ...right.map((text) => ({ text, found: 'no word', find, isFound: false })),
  ])

  test.each(examples)('the rule finds $found in "$text"', ({ text, find, isFound }) => {
    expect(text.search(find) !== -1).toBe(isFound)
  })

  test('each rule has an example of what it finds', () => {
    expect(wordRules.filter(({ wrong }) => wrong.length === 0)).toEqual([])
  })
})

function seed(name: string, text: string): string {
  const path = join(directory, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}

function run(...paths: string[]) {
  return spawnSync(process.execPath, [script, ...paths], { encoding: 'utf8' })
}

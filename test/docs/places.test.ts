import { expect, test } from '@jest/globals'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { blocksOf } from './blocks.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const pages = [
  ...globSync('*.md', { cwd: root }),
  'llms.txt',
  ...globSync('docs/**/*.md', { cwd: root, exclude: ['docs/{api,site}/**'] }),
]

/** Returns the text of a page without its code blocks. */
function proseOf(page: string): string {
  const text = readFileSync(join(root, page), 'utf8')
  return blocksOf(text).reduce((rest, block) => rest.replace(block.text, ''), text)
}

/** Returns the anchors that GitHub generates for the headings of a page. */
function anchorsOf(page: string): string[] {
  const headings = proseOf(page).match(/^#+ .*$/gm) ?? []
  return headings.map((heading) =>
    heading
      .replace(/^#+ /, '')
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )
}

const isPath = (path: string): boolean => /^(src|test|docs|scripts|\.ci)\/|\.ts$/.test(path)
const doesExist = (path: string): boolean => [path, join('src', path)].some((one) => existsSync(join(root, one)))

test.each(pages)('every link in %s has an existing target', (page) => {
  const links = [...proseOf(page).matchAll(/\]\((?!https?:)([^)]+)\)/g)].map(([, link]) => link!)
  const dead = links.filter((link) => {
    const [path = '', anchor] = link.split('#')
    const target = path === '' ? page : normalize(join(dirname(page), path))
    return !existsSync(join(root, target)) || (anchor !== undefined && !anchorsOf(target).includes(anchor))
  })
  expect(dead).toEqual([])
})

test.each(pages)('every file that %s names exists', (page) => {
  const named = [...proseOf(page).matchAll(/`((?:[\w-]+\/)+[\w.-]*)`/g)].map(([, path]) => path!)
  expect(named.filter(isPath).filter((path) => !doesExist(path))).toEqual([])
})

test('the README has at most 200 lines', () => {
  expect(readFileSync(join(root, 'README.md'), 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(200)
})

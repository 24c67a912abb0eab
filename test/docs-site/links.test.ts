import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkLinks } from '../../docs/site/.vitepress/check-links.ts'
import { withSiteLinks } from '../../docs/site/.vitepress/markdown-output.ts'
import { linkTarget, pageOf } from '../../docs/site/.vitepress/source-files.ts'

describe('links between files of the repository', () => {
  test.each([
    ['docs/guides/redaction.md', 'guides/redaction.md'],
    ['docs/architecture.md', 'architecture.md'],
    ['docs/site/pages/playground.md', 'playground.md'],
    ['docs/site/generated/api/core.md', 'api/core.md'],
    ['README.md', 'overview.md'],
    ['SECURITY.md', 'security.md'],
    ['docs/api/core.api.md', undefined],
    ['docs/site/README.md', undefined],
    ['test/a.md', undefined],
  ])('%s is the page %s', (file, page) => {
    expect(pageOf(file)).toBe(page)
  })

  test('a link to a page leads to its address, with the anchor', () => {
    expect(linkTarget('README.md', 'docs/guides/redaction.md#paths')).toEqual({
      kind: 'page',
      href: '/guides/redaction.md#paths',
    })
    expect(linkTarget('docs/guides/redaction.md', '../../SECURITY.md')).toEqual({ kind: 'page', href: '/security.md' })
  })

  test('a link to a folder leads to the page that lists its files', () => {
    expect(linkTarget('docs/architecture.md', 'decisions')).toEqual({ kind: 'page', href: '/decisions/index.md' })
  })

  test('a link to a test leads to a file that is not a page', () => {
    const href = '../../test/docs/places.test.ts'
    expect(linkTarget('docs/reference/reliability.md', href)).toEqual({
      kind: 'file',
      path: 'test/docs/places.test.ts',
    })
  })

  test('a link to nothing is reported', () => {
    expect(linkTarget('README.md', 'docs/missing.md')).toEqual({ kind: 'missing', path: 'docs/missing.md' })
  })

  test('published Markdown has the links of the site, and the texts of links to other files and of pictures', () => {
    const markdown =
      'See [redaction](docs/guides/redaction.md#paths), [`places`](test/docs/places.test.ts), [here](#here), [RFC](https://example.com/a) and ![terminal](docs/pictures/overview.svg).'
    expect(withSiteLinks(markdown, 'README.md')).toBe(
      'See [redaction](/guides/redaction.md#paths), `places`, [here](#here), [RFC](https://example.com/a) and (Picture: terminal).',
    )
  })

  test('published Markdown links the list of a folder as HTML, because it has no Markdown', () => {
    const markdown = 'See the [decisions](decisions).'
    expect(withSiteLinks(markdown, 'docs/architecture.md')).toBe('See the [decisions](/decisions/index.html).')
  })
})

describe('links of the built site', () => {
  let folder: string

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-site-'))
    mkdirSync(join(folder, 'guides'))
    writeFileSync(join(folder, 'index.html'), '<h2 id="a&amp;b">A</h2>')
    writeFileSync(join(folder, 'llms.txt'), '')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  function withLink(href: string): void {
    writeFileSync(join(folder, 'guides', 'a.html'), `<h1 id="top">A</h1><a class="x" href="${href}">x</a>`)
  }

  test.each(['#top', './a.html', '../', '/index.html#a&amp;b', '/llms.txt', 'https://example.com/x', 'mailto:a@b.c'])(
    'a link to %s is accepted',
    (href) => {
      withLink(href)
      expect(() => checkLinks(folder)).not.toThrow()
    },
  )

  test.each(['#missing', './b.html', '/index.html#a', '/guides/', '../llms-full.txt'])(
    'a link to %s, which does not exist, is reported with its page',
    (href) => {
      withLink(href)
      expect(() => checkLinks(folder)).toThrow(`links to nothing:\n/guides/a.html: ${href}`)
    },
  )
})

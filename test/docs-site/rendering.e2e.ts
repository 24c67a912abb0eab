import { describe, expect, test } from '@jest/globals'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const site = join(import.meta.dirname, '../../docs/site')
const fence = '```'

/** Renders Markdown as the page of docs/guides/redaction.md, in a process of its own: the site has its own packages. */
function render(markdown: string): { readonly html: string; readonly error: string } {
  const program = `
    import { createMarkdownRenderer } from 'vitepress'
    import { markdown } from './.vitepress/markdown.ts'
    const renderer = await createMarkdownRenderer('../..', markdown)
    process.stdout.write(renderer.render(process.argv[1], { path: process.argv[2] }))`
  const path = join(site, '../guides/redaction.md')
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program, markdown, path], {
    cwd: site,
    encoding: 'utf8',
  })
  return { html: stdout, error: stderr }
}

describe('programs in the documentation', () => {
  test('a name in a program has its type', () => {
    const { html, error } = render(`${fence}ts\nlog.info('started')\n${fence}`)
    expect(error).toBe('')
    expect(html).toMatch(/data-type="[^"]*Logger[^"]*">log<\/span>/)
    expect(html).not.toContain('cut')
  })

  test.each([
    ['a property that does not exist', `log.inform('started')`, `Property 'inform' does not exist on type`],
    [
      'an option that does not exist',
      `import { createLogger } from 'sluice'\ncreateLogger({ levle: 'info' })`,
      'levle',
    ],
    ['an entry that does not exist', `import { x } from 'sluice/missing'`, `Cannot find module 'sluice/missing'`],
  ])('%s fails the build', (_, program, message) => {
    const { html, error } = render(`${fence}ts\n${program}\n${fence}`)
    expect(error).toContain(message)
    expect(html).toBe('')
  })

  test('a block with the word unchecked is not compiled', () => {
    const { html, error } = render(`${fence}ts unchecked\nlog.inform('started')\n${fence}`)
    expect(error).toBe('')
    expect(html).toContain('inform')
  })
})

describe('links in the documentation', () => {
  test('a link to a file that does not exist fails the build', () => {
    const { html, error } = render('[handlers](handler.md)')
    expect(error).toContain(
      'docs/guides/redaction.md: the link handler.md leads to docs/guides/handler.md, which does not exist',
    )
    expect(html).toBe('')
  })

  test('a link to a page leads to its address, and a link to a test becomes its text', () => {
    const { html } = render('[handlers](handlers.md#order) and [`a test`](../../test/docs/places.test.ts).')
    expect(html).toBe('<p><a href="/guides/handlers.html#order">handlers</a> and <code>a test</code>.</p>\n')
  })
})

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DefaultTheme } from 'vitepress'
import { pageOf, repository } from './source-files.ts'

type Item = DefaultTheme.SidebarItem

/** Returns the text of the first heading of a file of the repository. */
export function titleOf(file: string): string {
  const [, title] = /^# (.+)$/m.exec(readFileSync(join(repository, file), 'utf8')) ?? []
  if (title === undefined) throw new Error(`${file} has no heading`)
  return title.replaceAll('`', '')
}

function item(file: string, text: string = titleOf(file)): Item {
  const page = pageOf(file)
  if (page === undefined) throw new Error(`${file} is not a page`)
  return { text, link: `/${page.replace(/\.md$/, '')}` }
}

function guides(names: readonly string[]): Item[] {
  return names.map((name) => item(`docs/guides/${name}.md`))
}

export function allOf(pattern: string): Item[] {
  return globSync(pattern, { cwd: repository })
    .toSorted()
    .map((file) => item(file))
}

function group(text: string, items: Item[], collapsed = true): Item {
  return { text, items, collapsed }
}

/** The pages in the order in which they are read. */
export const sidebar: Item[] = [
  group(
    'Start',
    [
      item('README.md', 'Overview'),
      item('docs/getting-started.md', 'Getting started'),
      { text: 'Playground', link: '/playground' },
    ],
    false,
  ),
  group(
    'Log',
    guides([
      'typescript',
      'redaction',
      'handlers',
      'volume',
      'flight-recorder',
      'level-control',
      'profiles',
      'console',
      'testing',
      'lint',
    ]),
  ),
  group(
    'Run',
    guides(['http', 'files', 'processes', 'writer-process', 'spool', 'ingest', 'scale', 'edge', 'opentelemetry']),
  ),
  group('Read', guides(['terminal', 'command-line', 'read-logs', 'stats-and-check', 'viewer'])),
  group(
    'Migrate',
    guides(['moving', 'from-pino', 'from-winston', 'from-bunyan-and-bole', 'from-logtape', 'from-tslog']),
  ),
  group('Reference', allOf('docs/reference/*.md')),
  group('Facts', [item('docs/benchmarks.md'), item('SECURITY.md'), item('CHANGELOG.md')]),
  group('Inside', [
    item('docs/architecture.md'),
    item('docs/glossary.md'),
    item('CONTRIBUTING.md'),
    group('Decisions', allOf('docs/decisions/*.md')),
  ]),
]

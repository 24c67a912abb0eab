import { globSync } from 'node:fs'
import type { DefaultTheme } from 'vitepress'
import { apiEntries } from '../api/entries.ts'
import { pageOf, repository, titleOf } from './source-files.ts'

type Item = DefaultTheme.SidebarItem

/** Texts in the sidebar for guides whose titles are too long for it. */
const shortTitles: Readonly<Record<string, string>> = {
  volume: 'Rate limits and sampling',
  'flight-recorder': 'Flight recorder',
  handlers: 'Filtering and changing records',
  processes: 'Shutdown and processes',
  scale: 'Collector and Kafka',
  ingest: 'Collectors and backends',
  'command-line': 'Command line',
  'stats-and-check': 'Statistics and checks',
  'read-logs': 'Reading in a program',
  lint: 'Lint rules',
  moving: 'Overview',
  'from-pino': 'From pino',
  'from-winston': 'From winston',
  'from-bunyan-and-bole': 'From bunyan and bole',
  'from-logtape': 'From LogTape',
  'from-tslog': 'From tslog',
}

function item(file: string, text: string = titleOf(file)): Item {
  const page = pageOf(file)
  if (page === undefined) throw new Error(`${file} is not a page`)
  return { text, link: `/${page.replace(/\.md$/, '')}` }
}

function guides(names: readonly string[]): Item[] {
  return names.map((name) => item(`docs/guides/${name}.md`, shortTitles[name]))
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
    'Logging',
    guides(['typescript', 'redaction', 'http', 'level-control', 'handlers', 'volume', 'flight-recorder', 'console']),
  ),
  group(
    'Delivery',
    guides(['processes', 'files', 'writer-process', 'spool', 'opentelemetry', 'ingest', 'scale', 'edge', 'profiles']),
  ),
  group('Reading logs', guides(['terminal', 'command-line', 'viewer', 'stats-and-check', 'read-logs'])),
  group('Tests and lint', guides(['testing', 'lint'])),
  group(
    'Migrating',
    guides(['moving', 'from-pino', 'from-winston', 'from-bunyan-and-bole', 'from-logtape', 'from-tslog']),
  ),
  group('Facts', [
    item('docs/benchmarks.md'),
    item('docs/reference/reliability.md'),
    item('docs/reference/opentelemetry.md', 'OpenTelemetry'),
    item('docs/guides/comparison.md', 'Comparison'),
    item('SECURITY.md'),
    item('CHANGELOG.md'),
  ]),
  group('Reference', allOf('docs/reference/!(reliability|opentelemetry).md')),
  group(
    'API',
    apiEntries.map(({ specifier, page }) => ({ text: specifier, link: `/api/${page}` })),
  ),
  group('Internals', [
    item('docs/architecture.md'),
    item('docs/glossary.md'),
    item('CONTRIBUTING.md'),
    group('Decisions', allOf('docs/decisions/*.md')),
  ]),
]

/** The links at the top of each page. */
export const nav: DefaultTheme.NavItem[] = [
  {
    text: 'Guides',
    items: [
      { text: 'Getting started', link: '/getting-started' },
      { text: 'Redaction', link: '/guides/redaction' },
      { text: 'HTTP request logging', link: '/guides/http' },
      { text: 'OpenTelemetry', link: '/guides/opentelemetry' },
      { text: 'Shutdown and processes', link: '/guides/processes' },
      { text: 'Migrating', link: '/guides/moving' },
    ],
  },
  {
    text: 'Reference',
    items: [
      { text: 'Logger options', link: '/reference/options' },
      { text: 'Exporters', link: '/reference/exporters' },
      { text: 'JSON line format', link: '/reference/the-line' },
      { text: 'Errors and diagnostics', link: '/reference/errors' },
      { text: 'Command-line options', link: '/reference/command-line-options' },
    ],
  },
  {
    text: 'Facts',
    items: [
      { text: 'Benchmarks', link: '/benchmarks' },
      { text: 'Reliability', link: '/reference/reliability' },
      { text: 'OpenTelemetry conformance', link: '/reference/opentelemetry' },
      { text: 'Comparison', link: '/guides/comparison' },
      { text: 'Security', link: '/security' },
      { text: 'Changelog', link: '/changelog' },
    ],
  },
  { text: 'Playground', link: '/playground' },
]

import { globSync } from 'node:fs'
import type { DefaultTheme } from 'vitepress'
import { apiEntries } from '../api/entries.ts'
import { pageOf, repository, titleOf } from './source-files.ts'

type Item = DefaultTheme.SidebarItem

/** Texts in the sidebar for pages whose titles are too long for it. */
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
  'otel-parts': 'Parts for an SDK',
  'configuration-file': 'Configuration file',
  'viewer-api': 'Viewer API',
  pino: 'Tests of pino',
  winston: 'Compatibility: winston',
  'bunyan-bole': 'Compatibility: bunyan, bole',
  'safe-stable-stringify': 'Compatibility: JSON',
}

function item(file: string, text: string = titleOf(file)): Item {
  const page = pageOf(file)
  if (page === undefined) throw new Error(`${file} is not a page`)
  return { text, link: `/${page.replace(/\.md$/, '')}` }
}

function references(names: readonly string[]): Item[] {
  return names.map((name) => item(`docs/reference/${name}.md`, shortTitles[name]))
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
  group(
    'Reference',
    references([
      'options',
      'exporters',
      'the-line',
      'layouts',
      'redaction',
      'errors',
      'user-code',
      'provider',
      'otel-parts',
      'configuration-file',
      'command-line-options',
      'query-language',
      'log-formats',
      'viewer-api',
      'pino',
      'winston',
      'bunyan-bole',
      'safe-stable-stringify',
    ]),
  ),
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

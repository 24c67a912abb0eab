import type { DefaultTheme } from 'vitepress'
import { apiEntries } from '../api/entries.ts'

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
      { text: 'API', link: `/api/${apiEntries[0]?.page}` },
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

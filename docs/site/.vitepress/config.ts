import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import llmstxt from 'vitepress-plugin-llms'
import { accessibleTheme } from './accessible-theme.ts'
import { iconAddress, license, version } from './brand.ts'
import { checkLinks } from './check-links.ts'
import { changePublishedMarkdown } from './markdown-output.ts'
import { markdown } from './markdown.ts'
import { nav } from './nav.ts'
import { playgroundWorker } from './playground/worker-code.ts'
import { search } from './search.ts'
import { sidebar } from './sidebar.ts'
import { pageOf, repository } from './source-files.ts'

const packages = fileURLToPath(new URL('../node_modules/', import.meta.url))

export default defineConfig({
  title: 'sluice',
  description: 'Structured logging for TypeScript on the OpenTelemetry log data model',
  lang: 'en',
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: iconAddress }]],
  srcDir: repository,
  srcExclude: [
    '{src,test,bench,scripts,demo,dist,temp,coverage}/**',
    'docs/{api,examples}/**',
    'docs/site/node_modules/**',
  ],
  rewrites: (file) => pageOf(file) ?? file,
  cleanUrls: false,
  markdown,
  vite: {
    plugins: [accessibleTheme, llmstxt({ ignoreFiles: ['playground.md'], sidebar }), playgroundWorker],
    // The pages are outside of the folder with the packages of the site.
    resolve: {
      alias: [
        { find: /^vue$/, replacement: `${packages}vue` },
        { find: /^vue\/server-renderer$/, replacement: `${packages}vue/server-renderer` },
      ],
    },
  },
  buildEnd: ({ outDir, pages }) => {
    changePublishedMarkdown(outDir, pages)
    checkLinks(outDir)
  },
  themeConfig: {
    search,
    outline: [2, 3],
    logo: iconAddress,
    nav,
    footer: { message: `sluice ${version}. License: ${license}.` },
    notFound: {
      title: 'Page not found',
      quote: 'No page has this address. The search finds pages by their text.',
      linkText: 'Start page',
      linkLabel: 'Start page',
    },
    sidebar,
  },
})

import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import llmstxt from 'vitepress-plugin-llms'
import { checkLinks } from './check-links.ts'
import { changePublishedMarkdown } from './markdown-output.ts'
import { markdown } from './markdown.ts'
import { sidebar } from './sidebar.ts'
import { pageOf, repository } from './source-files.ts'

const packages = fileURLToPath(new URL('../node_modules/', import.meta.url))

export default defineConfig({
  title: 'sluice',
  description: 'Structured logging for TypeScript on the OpenTelemetry log data model',
  lang: 'en',
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
    plugins: [llmstxt({ ignoreFiles: ['playground.md'], sidebar })],
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
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Getting started', link: '/getting-started' },
      { text: 'Reference', link: '/reference/options' },
      { text: 'Benchmarks', link: '/benchmarks' },
      { text: 'Playground', link: '/playground' },
    ],
    sidebar,
  },
})

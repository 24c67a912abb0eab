import { createCssVariablesTheme } from '@shikijs/core'
import { slug } from 'github-slugger'
import type { MarkdownOptions } from 'vitepress'
import { checkedCode, markCheckedCode } from './checked-code.ts'
import { useEntryLinks } from './entry-links.ts'
import { useFactTables } from './fact-tables.ts'
import { useRepositoryLinks } from './markdown-links.ts'
import { blockTypeLinks, useTypeLinks } from './type-links.ts'

/** How the Markdown of the repository becomes a page. */
export const markdown: MarkdownOptions = {
  // One theme with variables takes half of the time of a light and a dark one.
  theme: createCssVariablesTheme({ variablePrefix: '--code-' }),
  codeTransformers: [checkedCode, blockTypeLinks],
  // The anchors that the repository has.
  anchor: { slugify: slug },
  languageAlias: { alloy: 'hcl', conf: 'ini' },
  image: { lazyLoading: true },
  config: (renderer) => {
    useEntryLinks(renderer)
    // Before links to tests become text.
    useFactTables(renderer)
    useRepositoryLinks(renderer)
    useTypeLinks(renderer)
    markCheckedCode(renderer)
  },
}

import type { DefaultTheme } from 'vitepress'

/**
 * The search in the page. A heading that contains the words of a query is more often the answer than a text that contains
 * them, and a guide more often than a page of facts or decisions.
 */
export const search: NonNullable<DefaultTheme.Config['search']> = {
  provider: 'local',
  options: {
    miniSearch: {
      searchOptions: {
        boost: { title: 4, titles: 2, text: 1 },
        fuzzy: 0.15,
        prefix: true,
        weights: { fuzzy: 0.1, prefix: 0.4 },
        // VitePress copies the source of this function into the page, so it cannot use anything outside of it.
        boostDocument: (page: string) =>
          /^\/(guides|overview|getting-started)|^\/reference\/(?!reliability|opentelemetry|pino|winston|bunyan)/.test(
            page,
          )
            ? 1
            : 0.3,
      },
    },
  },
}

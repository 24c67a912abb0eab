import axe from 'axe-core'
import type { Page } from 'playwright-core'

interface Violation {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

/** Returns what axe finds in a part of the page, of every impact. Each text begins with the impact. */
export async function axeProblems(page: Page, selector = 'html'): Promise<string[]> {
  const violations = await page.evaluate<Violation[]>(
    `${axe.source}; axe.run('${selector}', { resultTypes: ['violations'] }).then(({ violations }) => violations)`,
  )
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${impact} ${id}: ${html.slice(0, 200)} ${failureSummary}`),
  )
}

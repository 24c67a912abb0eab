import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createMarkdownRenderer, type SiteConfig } from 'vitepress'
import { repository } from './source-files.ts'
import { blocksUnder, measuredNumbers, type BenchmarkResults, type MeasuredNumber } from './start-page.ts'

/** What the start page shows of the README and of the benchmarks. Code is HTML. */
export interface StartPage {
  readonly install: string
  readonly program: string
  readonly output: string
  readonly numbers: readonly MeasuredNumber[]
  readonly measured: {
    readonly date: string
    readonly cores: string
    readonly versions: Readonly<Record<string, string>>
  }
}

export const data = undefined as unknown as StartPage

export default {
  watch: ['../../../README.md', '../../benchmarks/results.json'],
  async load(): Promise<StartPage> {
    const site = (globalThis as unknown as { VITEPRESS_CONFIG: SiteConfig }).VITEPRESS_CONFIG
    const markdown = await createMarkdownRenderer(site.srcDir, site.markdown, site.site.base, site.logger)
    const readme = readFileSync(join(repository, 'README.md'), 'utf8')
    const results = JSON.parse(
      readFileSync(join(repository, 'docs/benchmarks/results.json'), 'utf8'),
    ) as BenchmarkResults
    const html = (heading: string, index: number): string => {
      const block = blocksUnder(heading, readme)[index]
      if (block === undefined) throw new Error(`The README has no block ${index} under ${heading}`)
      const env = { path: 'README.md', relativePath: 'README.md', cleanUrls: false }
      return markdown.render(`\`\`\`${block.language}\n${block.code}\`\`\`\n`, env)
    }
    return {
      install: html('Install', 0),
      program: html('Quick start', 0),
      output: html('Quick start', 1),
      numbers: measuredNumbers(results),
      measured: { date: results.date.slice(0, 10), cores: results.machine.cores, versions: results.versions },
    }
  },
}

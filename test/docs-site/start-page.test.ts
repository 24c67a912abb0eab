import { describe, expect, test } from '@jest/globals'
import { readFileSync } from 'node:fs'
import { blocksUnder, measuredNumbers, type BenchmarkResults } from '../../docs/site/.vitepress/start-page.ts'

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const results = JSON.parse(read('docs/benchmarks/results.json')) as BenchmarkResults

describe('the numbers of the start page', () => {
  const texts = measuredNumbers(results).map(({ value, text }) => `${value} ${text}`.replaceAll('\u00a0', ' '))
  const page = read('docs/benchmarks.md')

  test('are the ratios of CPU time in the summary of the benchmarks', () => {
    const [, ...request] =
      /two records takes ([\d.]+) \(([\d.]+) to ([\d.]+)\) of the CPU time of pino/.exec(page) ?? []
    const [, ...mix] = /([\d.]+) \(([\d.]+) to ([\d.]+)\) with 10 and/.exec(page) ?? []
    expect(numbersIn(texts[0], 3)).toEqual(request.map(percent))
    expect(numbersIn(texts[1]!.replace('64 call sites that logs 10', ''), 3)).toEqual(mix.map(percent))
  })

  test('have the memory in the summary of the benchmarks', () => {
    const [, ...memory] = /resident memory by (\d+) \((\d+) to (\d+)\) MB/.exec(page) ?? []
    expect(numbersIn(texts[2], 3)).toEqual(memory.map(Number))
  })

  test('are missing if the results have no such figure', () => {
    expect(() => measuredNumbers({ ...results, groups: [] })).toThrow(
      'The benchmark results have no cpu of pino-sync in request-child/two',
    )
  })
})

test('the blocks under a heading are those before the next heading', () => {
  const markdown = '# A\n\n## B\n\n```sh\nrun\n```\n\n```json\n{}\n{}\n```\n\n## C\n\n```ts\nlog\n```\n'
  expect(blocksUnder('B', markdown)).toEqual([
    { language: 'sh', code: 'run\n' },
    { language: 'json', code: '{}\n{}\n' },
  ])
  expect(() => blocksUnder('D', markdown)).toThrow('The heading D is missing')
})

function numbersIn(text: string | undefined, count: number): number[] {
  return [...(text ?? '').matchAll(/\d+/g)].slice(0, count).map(Number)
}

function percent(ratio: string): number {
  return Math.round(Number(ratio) * 100)
}

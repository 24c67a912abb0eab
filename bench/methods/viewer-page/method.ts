import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type CDPSession, type Page } from 'playwright-core'
import { calibrate } from '../../run/calibration.ts'
import { scenarios } from '../../scenarios/index.ts'
import type { Scenario } from '../../scenarios/scenario.ts'
import type { Job, Method, Run } from '../method.ts'
import { pageScript } from './page-script.ts'
import { rareText, requestBytes, tracedId } from './requests.ts'
import type { ViewerPageVariant } from './variant.ts'
import { startViewer, type ViewerProcess } from './viewer-process.ts'

const batchRecords = 1_000
/** The time between two requests while records arrive, in ms. */
const liveMillis = 100
/** The time after which the heap of the page is measured first, in s. */
const warmUpSeconds = 10

/** Measures the page of the viewer in Chromium: the time of filters, of frames while it scrolls, and of records that arrive. */
export const viewerPage: Method =
  ({ signal }) =>
  async (job): Promise<Run> => {
    const variant = variantOf(job)
    const records = job.records ?? variant.records
    const executablePath =
      process.env['CHROMIUM'] ?? ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(existsSync)
    if (executablePath === undefined) throw new Error('install chromium-headless-shell, or set CHROMIUM')
    const calibration = calibrate()
    const browser = await chromium.launch({ executablePath })
    let viewer: ViewerProcess | undefined
    try {
      const page = await browser.newPage({ viewport: { width: 1440, height: 860 } })
      const start = performance.now()
      viewer = await startViewer(join(job.build, '..', 'cli.cjs'), signal)
      await page.goto(viewer.url)
      await page.locator('.connected', { hasText: '● connected' }).waitFor()
      const firstPage = performance.now() - start
      await load(viewer, records)
      await page.locator('.status', { hasText: `${records.toLocaleString('en-US')} records` }).waitFor()
      await page.locator('.status', { hasNotText: 'to search' }).waitFor()
      await page.evaluate<void>(pageScript)
      const filters = await filterTimes(page, variant)
      const frames = await page.evaluate<number[]>(`measure.scrolled(${variant.frames})`)
      await page.getByRole('button', { name: 'Follow' }).click()
      const live = await liveFigures(page, viewer, variant)
      return {
        figures: { firstPage, ...filters, frame95: percentile(frames, 0.95), ...live.figures },
        calibration: Math.max(calibration, calibrate()),
        problems: live.problems,
      }
    } finally {
      await browser.close()
      await viewer?.stop()
    }
  }

function variantOf({ scenario, variant }: Job): ViewerPageVariant {
  const found: Scenario = scenarios[scenario]
  if (found.method !== 'viewer-page') throw new Error(`${scenario} does not measure the page of the viewer`)
  return found.variants[variant]!
}

async function load(viewer: ViewerProcess, records: number): Promise<void> {
  const start = Date.now() - 3_600_000
  for (let sent = 0; sent < records; sent += batchRecords)
    await viewer.send(requestBytes(batchRecords, start + sent, `batch ${sent}`))
}

async function filterTimes(page: Page, { filters }: ViewerPageVariant): Promise<Run['figures']> {
  const times = { level: [] as number[], service: [] as number[], trace: [] as number[], text: [] as number[] }
  for (let round = 0; round < filters; round++) {
    times.level.push(await page.evaluate<number>(`measure.chosen('error', '.level', 'error')`))
    times.service.push(await page.evaluate<number>(`measure.chosen('payments', '.service', 'payments')`))
    times.text.push(await page.evaluate<number>(`measure.written('"${rareText}"', '${rareText}')`))
  }
  // A record of a trace has the button for it.
  await page.locator('#query').fill(`trace_id="${tracedId}"`)
  await page.locator('.status', { hasText: ' of ' }).waitFor()
  await page.locator('.list .row .text').last().click()
  await page.locator('.trace-links').waitFor()
  await page.evaluate<void>(`measure.allShown(() => document.querySelector('.clear').click())`)
  for (let round = 0; round < filters; round++) times.trace.push(await page.evaluate<number>(`measure.traced()`))
  await page.keyboard.press('Escape')
  return {
    filterLevel: Math.max(...times.level),
    filterService: Math.max(...times.service),
    filterTrace: Math.max(...times.trace),
    filterText: Math.max(...times.text),
  }
}

async function liveFigures(
  page: Page,
  viewer: ViewerProcess,
  { liveSeconds, liveRate }: ViewerPageVariant,
): Promise<Pick<Run, 'figures' | 'problems'>> {
  const session = await page.context().newCDPSession(page)
  await page.evaluate<void>('measure.watchNumbers()')
  const sentAt: number[] = []
  const start = Date.now()
  const heaps: number[] = []
  for (let number = 0; number < (liveSeconds * 1_000) / liveMillis; number++) {
    const wait = start + number * liveMillis - Date.now()
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    const body = requestBytes((liveRate * liveMillis) / 1_000, Date.now(), `live ${number}`)
    sentAt.push(performance.timeOrigin + performance.now())
    await viewer.send(body)
    const atSeconds = (number * liveMillis) / 1_000
    if (atSeconds === warmUpSeconds) heaps.push(await usedHeap(session))
  }
  heaps.push(await usedHeap(session))
  const seen = await page.evaluate<Record<string, number>>('measure.seen')
  // Between two frames, more records than the window has rows can arrive: a record is shown when it or a later one is seen.
  let shownAt = Infinity
  const delays: number[] = []
  for (let number = sentAt.length - 1; number >= 0; number--) {
    shownAt = Math.min(shownAt, seen[number] ?? Infinity)
    if (shownAt !== Infinity) delays.push(shownAt - sentAt[number]!)
  }
  const missing = sentAt.length - delays.length
  return {
    figures: {
      shown50: percentile(delays, 0.5),
      shown95: percentile(delays, 0.95),
      pageHeap: heaps.at(-1)! / 1e6,
      pageHeapGrowth: (heaps.at(-1)! - heaps[0]!) / 1e6,
    },
    problems: missing > 10 ? [`${missing} of ${sentAt.length} records were never seen`] : [],
  }
}

/** Returns the bytes on the heap of the page after a garbage collection. */
async function usedHeap(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage')
  return (await session.send('Runtime.getHeapUsage')).usedSize
}

function percentile(values: readonly number[], fraction: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? NaN
}

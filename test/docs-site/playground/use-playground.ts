import { afterAll, beforeAll } from '@jest/globals'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../../viewer/page/open-viewer.ts'
import { serveSite, type ServedSite } from '../serve-site.ts'
import { openPlayground, type OpenPlayground } from './open-playground.ts'

/** What the tests of a file share. */
export interface SharedPlayground {
  browser: Browser
  site: ServedSite
  playground: OpenPlayground
}

/** Opens the playground before the tests of a file, and closes it after them. */
export function usePlayground(): SharedPlayground {
  const shared = {} as SharedPlayground
  beforeAll(async () => {
    shared.site = await serveSite()
    shared.browser = await launchChromium()
    shared.playground = await openPlayground(shared.browser, shared.site)
  })
  afterAll(async () => {
    await shared.browser.close()
    shared.site.close()
  })
  return shared
}

import type { ViewerPageVariant } from '../methods/viewer-page/variant.ts'
import type { Scenario } from './scenario.ts'

const million: ViewerPageVariant = {
  subjects: ['sluice-viewer'],
  records: 1_000_000,
  filters: 5,
  frames: 400,
  liveSeconds: 60,
  liveRate: 5_000,
}

export const viewerPage: Scenario = {
  description:
    'The page of `sluice ui` in Chromium: the time from the start of the program to its first page, the longest time from a key to the first rows of a filter over a million records, frames while it scrolls, and the time from a request to the pixels with 5,000 records/s for 60 s',
  method: 'viewer-page',
  ours: 'sluice-viewer',
  runs: 3,
  figures: [
    'firstPage',
    'filterLevel',
    'filterService',
    'filterTrace',
    'filterText',
    'frame95',
    'shown50',
    'shown95',
    'pageHeap',
    'pageHeapGrowth',
  ],
  compared: [],
  targets: [
    { variants: ['million'], figures: ['filterLevel', 'filterService', 'filterTrace'], limit: 100 },
    { variants: ['million'], figures: ['filterText', 'shown95'], limit: 400 },
    { variants: ['million'], figures: ['frame95'], limit: 33 },
    { variants: ['million'], figures: ['firstPage'], limit: 1_000 },
    { variants: ['million'], figures: ['pageHeapGrowth'], limit: 1 },
  ],
  variants: { million },
}

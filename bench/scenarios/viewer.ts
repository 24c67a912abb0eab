import type { ViewerVariant } from '../methods/viewer/variant.ts'
import type { Scenario } from './scenario.ts'

const records = 1_000_000

function view(filter: string): ViewerVariant {
  return { subjects: ['sluice-viewer'], records, filter }
}

export const viewerIngest: Scenario = {
  description: 'Sends 1,000,000 records to `sluice ui` with the official SDK and exporter (protobuf), which drops none',
  method: 'viewer',
  figures: ['received', 'program', 'residentMemory', 'stored'],
  compared: [],
  ours: 'sluice-viewer',
  runs: 3,
  targets: [
    { variants: ['protobuf', 'saved in a database'], figures: ['program'], limit: 15_000 },
    { variants: ['protobuf', 'saved in a database'], figures: ['residentMemory'], limit: 700 },
    { variants: ['protobuf', 'saved in a database'], figures: ['stored'], limit: records, atLeast: true },
  ],
  variants: {
    protobuf: { subjects: ['sluice-viewer'], records },
    'saved in a database': { subjects: ['sluice-viewer'], records, hasDatabase: true },
  },
}

export const viewerFilter: Scenario = {
  description: 'Filters 1,000,000 records in `sluice ui`, from the request to the first rows and to all of them',
  method: 'viewer',
  figures: ['firstRows', 'allRows', 'matches'],
  compared: [],
  ours: 'sluice-viewer',
  runs: 3,
  targets: [
    { variants: ['level', 'service', 'trace', 'level and service in a query'], figures: ['firstRows'], limit: 100 },
    { variants: ['frequent text', 'rare text'], figures: ['firstRows'], limit: 400 },
  ],
  variants: {
    all: view(''),
    level: view('level=error'),
    service: view('service=mail'),
    trace: view('trace=0af7651916cd43dd8448eb211c80319c'),
    'level and service in a query': view('q=level>%3Derror+and+service%3Dmail'),
    'frequent text': view('q=%27placed%27'),
    'rare text': view('q=%22the+needle%22'),
    attribute: view('q=duration_ms>970+and+tenant%3Dacme'),
    'regular expression': view('q=message~%27order+99999%5Cd+placed%27'),
  },
}

import { sdkLogsSubject } from './sdk-logs.ts'

/** As it is when nothing is said: shown for what it loses. */
export const sdkLogsDefault = sdkLogsSubject(
  {
    title: '@opentelemetry/sdk-logs 3.1, BatchLogRecordProcessor() (maxQueueSize: 2,048), JSON lines',
    whenFull: 'drops the newest beyond 2,048 records',
  },
  {},
)

/** A question that users of loggers have, and where the documentation answers it. */
export interface Question {
  /** The issue in a tracker. */
  readonly issue: string
  readonly question: string
  /** What is typed into the search. */
  readonly words: string
  /** The page and the heading. */
  readonly target: string
  /** What is visible below the heading. */
  readonly answer: string
}

/** Questions in the trackers of pino and its packages, of winston, and of OpenTelemetry's packages for JavaScript. */
export const questions: readonly Question[] = [
  {
    issue: 'pinojs/pino#1705',
    question: 'Why are records missing after process.exit()?',
    words: 'process.exit logs lost',
    target: '/guides/processes.html#exit-signals-and-crashes',
    answer: 'everything that the destination accepts within exitTimeoutMillis',
  },
  {
    issue: 'pinojs/pino#1639',
    question: 'How does each destination get its own level?',
    words: 'level per destination',
    target: '/reference/exporters.html#different-levels-for-each-destination',
    answer: 'Each exporter can have its own level',
  },
  {
    issue: 'pinojs/pino-noir#9',
    question: 'Can a redaction path have wildcards before its last key?',
    words: 'redact multiple wildcards',
    target: '/guides/redaction.html#paths',
    answer: 'a path can have several wildcards',
  },
  {
    issue: 'pinojs/express-pino-logger#11',
    question: 'How is the level changed while the program runs?',
    words: 'change log level runtime',
    target: '/guides/level-control.html#log-levels-at-run-time',
    answer: 'without a restart',
  },
  {
    issue: 'winstonjs/winston#1426',
    question: 'Why is an error logged as {}?',
    words: 'log error object',
    target: '/reference/the-line.html#error-objects',
    answer: 'An Error object is written with its type, message, stack and causes',
  },
  {
    issue: 'pinojs/pino#2098',
    question: 'How are log files rotated each day?',
    words: 'daily log rotation',
    target: '/guides/files.html#rotation',
    answer: 'hourly or daily',
  },
  {
    issue: 'winstonjs/winston#1871',
    question: 'Why does the memory grow with many records?',
    words: 'memory grows',
    target: '/guides/processes.html#full-queues-and-memory',
    answer: 'The size of the queue is limited by maxQueueBytes, 16 MiB by default',
  },
  {
    issue: 'open-telemetry/opentelemetry-js-contrib#2512',
    question: 'Why do records have no trace ID?',
    words: 'trace_id missing',
    target: '/guides/opentelemetry.html#trace-and-span-ids',
    answer: 'Records that are logged while a span is active have its IDs',
  },
  {
    issue: 'pinojs/pino#837',
    question: 'How does a test check what is logged?',
    words: 'test logs jest',
    target: '/guides/testing.html#jest-and-vitest',
    answer: 'toHaveLogged',
  },
  {
    issue: 'pinojs/pino#1994',
    question: 'How do all records of a request get its ID?',
    words: 'request id every log',
    target: '/guides/http.html#http-request-logging',
    answer: "includes the request's ID",
  },
  {
    issue: 'pinojs/pino#1738',
    question: 'How is it used with Next.js?',
    words: 'next.js',
    target: '/guides/http.html#nextjs',
    answer: 'Export both functions from instrumentation.ts',
  },
  {
    issue: 'pinojs/pino#1079',
    question: 'Does it work in a bundle of webpack?',
    words: 'webpack bundle',
    target: '/guides/edge.html#bundlers',
    answer: 'also work in a bundle for Node',
  },
  {
    issue: 'pinojs/pino-pretty#51',
    question: 'What is written for a circular reference or a BigInt?',
    words: 'circular reference bigint',
    target: '/reference/the-line.html#values',
    answer: 'a circular reference as [Circular]',
  },
  {
    issue: 'winstonjs/winston#1790',
    question: 'Why do times have the wrong time zone?',
    words: 'timestamp timezone',
    target: '/reference/the-line.html#time-zone',
    answer: 'Timestamps of lines are in UTC',
  },
  {
    issue: 'winstonjs/winston#1523',
    question: 'How are custom levels declared in TypeScript?',
    words: 'custom levels typescript',
    target: '/guides/typescript.html#custom-levels',
    answer: 'Each is a method of the logger',
  },
  {
    issue: 'pinojs/pino-pretty#287',
    question: 'How is output pretty in development only?',
    words: 'pretty print development',
    target: '/guides/terminal.html#terminal-output',
    answer: 'pretty printing during development needs no package',
  },
  {
    issue: 'pinojs/pino#2011',
    question: 'How do attributes get types?',
    words: 'typescript attribute types',
    target: '/guides/typescript.html#declared-attributes',
    answer: 'declares the attributes that calls can have',
  },
  {
    issue: 'open-telemetry/opentelemetry-js#5726',
    question: 'How does a Collector read records from files or stdout?',
    words: 'collector read stdout',
    target: '/guides/opentelemetry.html#files-for-a-collector',
    answer: 'A Collector can read records from files',
  },
  {
    issue: 'pinojs/pino#1019',
    question: 'How are duplicate messages limited?',
    words: 'rate limit duplicate',
    target: '/guides/volume.html#rate-limits-deduplication-and-sampling',
    answer: 'Repeated or duplicate messages do not drown the others',
  },
  {
    issue: 'open-telemetry/opentelemetry-js#4447',
    question: 'How are the endpoint and the headers of OTLP set?',
    words: 'otlp headers',
    target: '/guides/opentelemetry.html#endpoint-and-headers',
    answer: 'OTEL_EXPORTER_OTLP_HEADERS=x-api-key=secret',
  },
]

import { join } from 'node:path'

/** An entry point of the package, and what its page begins with. */
export interface ApiEntry {
  /** The specifier of the import, such as `sluice/http`. */
  readonly specifier: string
  /** The name of its files in dist/. */
  readonly file: string
  /** The name of its page in docs/site/generated/api/. */
  readonly page: string
  /** What it is for, in Markdown. */
  readonly purpose: string
  /** How it is imported, if not by the names of its values. */
  readonly usage?: string
  /** The pages about it: files in docs/. */
  readonly guides: readonly string[]
}

/** The entry points in the order of the sidebar. What several of them export is documented on the page of the first one. */
export const apiEntries: readonly ApiEntry[] = [
  entry(
    '',
    'Creates loggers for Node. It also has the types that other entry points use.',
    'getting-started reference/options guides/typescript guides/redaction guides/processes guides/profiles guides/flight-recorder',
  ),
  entry(
    'exporters',
    'Exporters, which write records to files, descriptors, OTLP receivers, writer processes, a disk spool or memory, and the encodings of lines.',
    'reference/exporters reference/layouts guides/files guides/spool guides/writer-process guides/terminal guides/ingest guides/scale',
  ),
  entry(
    'handlers',
    'Handlers that filter, sample, deduplicate and route records before they are encoded.',
    'guides/handlers guides/volume',
  ),
  entry(
    'console',
    'Redirects the `console` of the runtime to a logger, or its lines to an exporter.',
    'guides/console',
  ),
  entry(
    'level-control',
    'Changes log levels while a program runs: by code, by HTTP or by a signal.',
    'guides/level-control',
  ),
  entry(
    'testing',
    'Captures records in tests, has matchers for them, and verifies exporters, handlers and redaction rules.',
    'guides/testing guides/redaction',
  ),
  entry(
    'otel',
    'A LoggerProvider of OpenTelemetry with the exporters of this package, and components for an OpenTelemetry SDK.',
    'guides/opentelemetry reference/provider reference/otel-parts',
  ),
  entry(
    'register',
    'Registers a LoggerProvider with OpenTelemetry and captures the console, as environment variables or a configuration file specify.',
    'guides/opentelemetry guides/console reference/provider reference/configuration-file',
    '```sh\nnode --import sluice/register app.js\n```',
  ),
  entry(
    'http',
    'Logs requests of servers with `Request` and `Response` of the web platform.',
    'guides/http guides/edge',
  ),
  entry('node', 'Logs requests of a server of `node:http`.', 'guides/http'),
  entry('express', 'Logs requests of Express.', 'guides/http'),
  entry('fastify', 'Logs requests of Fastify.', 'guides/http'),
  entry('koa', 'Logs requests of Koa.', 'guides/http'),
  entry('hono', 'Logs requests of Hono.', 'guides/http'),
  entry('nest', 'Logs requests of NestJS, and is the logger of its application.', 'guides/http'),
  entry('next', 'Logs requests and errors of Next.js.', 'guides/http'),
  entry('lambda', 'Flushes a logger before a handler of AWS Lambda returns.', 'guides/profiles guides/ingest'),
  entry(
    'child-process',
    'Logs from a child process through the writer process of its parent.',
    'guides/writer-process',
  ),
  entry('core', 'Creates loggers for browsers, workers and edge runtimes. It does not use Node.', 'guides/edge'),
  entry(
    'read',
    'Reads log files of this package and of other loggers as records, and compiles queries.',
    'guides/read-logs reference/query-language reference/log-formats',
  ),
  entry('lint', 'Lint rules for log calls, for ESLint and oxlint.', 'guides/lint'),
  entry('pino', 'A replacement for pino with the same interface.', 'guides/from-pino reference/pino'),
  entry(
    'winston',
    'A replacement for winston with the same interface.',
    'guides/from-winston reference/winston',
    "```typescript\nimport * as winston from 'sluice/winston'\n```",
  ),
  entry(
    'bunyan',
    'A replacement for bunyan with the same interface.',
    'guides/from-bunyan-and-bole reference/bunyan-bole',
  ),
  entry('bole', 'A replacement for bole with the same interface.', 'guides/from-bunyan-and-bole reference/bunyan-bole'),
]

function entry(name: string, purpose: string, guides: string, usage?: string): ApiEntry {
  return {
    specifier: name === '' ? 'sluice' : `sluice/${name}`,
    file: name === '' ? 'index' : name,
    page: name === '' ? 'sluice' : name,
    purpose,
    guides: guides.split(' ').map((guide) => `docs/${guide}.md`),
    ...(usage === undefined ? {} : { usage }),
  }
}

/** Returns the path of the model of an entry. */
export function modelPath(repository: string, { page }: ApiEntry): string {
  return join(repository, 'temp/api', `${page}.api.json`)
}

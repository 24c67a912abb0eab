import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { compiler } from './consumer.ts'

/** The compiler as editors run it: a process that implements the Language Server Protocol. */
export interface LanguageServer extends AsyncDisposable {
  /** Returns the labels that an editor suggests at the `|` in a program. */
  completions(program: string): Promise<readonly string[]>
}

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: { readonly items?: readonly unknown[] }
  readonly result?: { readonly items?: readonly { readonly label: string }[] }
  readonly error?: { readonly message: string }
}

/** Starts a language server for a folder. */
export async function startLanguageServer(folder: string): Promise<LanguageServer> {
  const server = spawn(process.execPath, [compiler, '--lsp', '--stdio'], { stdio: ['pipe', 'pipe', 'ignore'] })
  const exited = new Promise((resolve) => server.once('exit', resolve))
  const waiting = new Map<number, (message: Message) => void>()
  let received: Buffer = Buffer.alloc(0)
  let requests = 0
  let documents = 0

  server.stdout.on('data', (data: Buffer) => {
    received = Buffer.concat([received, data])
    for (let end = received.indexOf('\r\n\r\n'); end >= 0; end = received.indexOf('\r\n\r\n')) {
      const length = Number(/Content-Length: (\d+)/.exec(received.toString('latin1', 0, end))![1])
      if (received.length < end + 4 + length) return
      handle(JSON.parse(received.toString('utf8', end + 4, end + 4 + length)) as Message)
      received = received.subarray(end + 4 + length)
    }
  })

  function handle({ id, method, ...message }: Message): void {
    if (id === undefined) return
    if (method === undefined) waiting.get(id)?.(message)
    // The server requests the settings of the editor, which has none.
    else send({ id, result: message.params?.items?.map(() => ({})) ?? null })
  }

  function send(message: object): void {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message })
    server.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
  }

  async function request(method: string, params: object): Promise<Message['result']> {
    const id = ++requests
    const { result, error } = await new Promise<Message>((resolve) => {
      waiting.set(id, resolve)
      send({ id, method, params })
    })
    if (error !== undefined) throw new Error(`${method}: ${error.message}`)
    return result
  }

  const capabilities = { textDocument: { completion: { completionItem: {} } } }
  await request('initialize', { processId: process.pid, rootUri: String(pathToFileURL(folder)), capabilities })
  send({ method: 'initialized', params: {} })

  return {
    async completions(program) {
      const uri = String(pathToFileURL(join(folder, `document-${++documents}.mts`)))
      const before = program.slice(0, program.indexOf('|')).split('\n')
      const text = program.replace('|', '')
      send({
        method: 'textDocument/didOpen',
        params: { textDocument: { uri, languageId: 'typescript', version: 1, text } },
      })
      const position = { line: before.length - 1, character: before.at(-1)!.length }
      const result = await request('textDocument/completion', { textDocument: { uri }, position })
      return (result?.items ?? []).map(({ label }) => label)
    },
    async [Symbol.asyncDispose]() {
      server.kill()
      await exited
    },
  }
}

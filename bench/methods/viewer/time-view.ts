/** Times of a view, in ms. */
export interface ViewTimes {
  /** Until the page has the first rows. */
  readonly firstRows: number
  /** Until all records are tested. */
  readonly allRows: number
  readonly rows: number
}

interface State {
  readonly rows: number
  readonly untested: number
}

/** The rows that a page requests with a view. */
const newestRows = 50

/** Opens a view as the page does, with its first rows. */
export async function timeView(url: string, filter: string): Promise<ViewTimes> {
  const start = performance.now()
  const response = await fetch(`${url}/api/live?${filter}&newest=${newestRows}`)
  if (!response.ok) throw new Error(`the view was refused: ${await response.text()}`)
  let text = ''
  let firstRows = Number.NaN
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk
    const events = text.split('\n\n')
    text = events.pop()!
    for (const event of events) {
      const [, name, data] = /^event: (\w+)\ndata: (.*)$/.exec(event) ?? []
      if (name === 'failure') throw new Error(data)
      if (name === 'newest' && Number.isNaN(firstRows)) firstRows = performance.now() - start
      if (name !== 'state') continue
      const { rows, untested } = JSON.parse(data!) as State
      if (untested > 0) continue
      return { firstRows, allRows: performance.now() - start, rows }
    }
  }
  throw new Error('the view was closed')
}

import { importRival } from '../subjects/rival.ts'
import type { Chart } from './charts.ts'

interface Echarts {
  init(element: null, theme: null, options: object): Instance
}
interface Instance {
  setOption(option: object): void
  renderToSVGString(): string
  dispose(): void
}

/** Renders a chart as a reproducible SVG, without generated numbers and attributes for interactive pages. */
export async function svgText({ width, height, option }: Chart): Promise<string> {
  const echarts = await importRival<Echarts>('echarts')
  const instance = echarts.init(null, null, { renderer: 'svg', ssr: true, width, height })
  instance.setOption(option)
  const svg = instance.renderToSVGString()
  instance.dispose()
  return svg
    .replace(/<style[^]*?<\/style>\n?/g, '')
    .replace(/ (?:class|ecmeta_\w+)="[^"]*"/g, '')
    .replace(/ pointer-events="[^"]*"/g, '')
    .replace(/\bzr\d+-/g, 'chart-')
}

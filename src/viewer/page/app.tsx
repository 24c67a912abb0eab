import { render } from 'preact'
import { notice } from './copy-text.ts'
import { Detail } from './detail.tsx'
import { HelpDialog } from './help-dialog.tsx'
import { useKeyboard } from './keyboard.ts'
import { OlderPanel } from './older-panel.tsx'
import { QueryBox } from './query-box.tsx'
import { RecordList } from './record-list.tsx'
import { connect } from './live-view.ts'
import { Sidebar } from './sidebar.tsx'
import { now, panel, timeStyle, view } from './state.ts'
import { StatusBar } from './status-bar.tsx'
import { TemplatesPanel } from './templates-panel.tsx'
import { Timeline } from './timeline.tsx'
import { useTheme } from './theme.ts'
import { Toolbar } from './toolbar.tsx'
import { TraceView } from './trace-view.tsx'
import { useAddress } from './url-state.ts'
import { effect } from '@preact/signals'

function App() {
  return (
    <>
      <header class="top">
        <h1 class="name">sluice</h1>
        <QueryBox />
        <Toolbar />
      </header>
      <Timeline />
      <div class="middle">
        <Sidebar />
        <main>
          {panel.value === 'records' ? <RecordList /> : panel.value === 'older' ? <OlderPanel /> : <TemplatesPanel />}
        </main>
        <Detail />
      </div>
      <StatusBar />
      <TraceView />
      <HelpDialog />
      <div class="notice" role="status">
        {notice.value}
      </div>
    </>
  )
}

useAddress()
useKeyboard()
connect()
useTheme()
effect(() => {
  // Relative times change with each new state, and while nothing happens.
  void view.value
  now.value = Date.now()
})
setInterval(() => timeStyle.value === 'relative' && (now.value = Date.now()), 1_000)
render(<App />, document.getElementById('app')!)

import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openPanelChannel } from '../../web/client/client.ts'
import { forbidChannels } from './fake-browser.ts'

describe('a panel channel', () => {
  it('connects nothing where the browser forbids it, and fails nothing', () => {
    forbidChannels()
    const channel = openPanelChannel('main')
    const stop = channel.listen(() => {})
    channel.send('logged-in')
    stop()
    channel.send('logged-out')
  })

  it('connects nothing where the browser has none', () => {
    vi.stubGlobal('BroadcastChannel', undefined)
    onTestFinished(() => void vi.unstubAllGlobals())
    const channel = openPanelChannel('main')
    const stop = channel.listen(() => {})
    channel.send('logged-in')
    stop()
  })

  it('passes messages on to every listener of another tab, until it stops', async () => {
    const [one, two] = [openPanelChannel('main'), openPanelChannel('main')]
    const heard: string[] = []
    const stops = [
      two.listen((message) => heard.push(message)),
      two.listen((message) => heard.push(message)),
    ]
    one.send('verified')
    await vi.waitFor(() => expect(heard).toEqual(['verified', 'verified']))
    for (const stop of stops) stop()
  })
})

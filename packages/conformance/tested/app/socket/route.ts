import { upgrade } from '@waymark/live/socket'

export function GET() {
  return upgrade({
    open: (socket) => socket.send('welcome'),
    message: (socket, text) => socket.send(`you: ${text}`),
  })
}

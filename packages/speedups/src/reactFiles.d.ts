declare module 'react-dom/server.bun' {
  export { renderToPipeableStream } from 'react-dom/server'
}

// Where React's build for Bun can't be adapted, `adaptedReactPlugin` resolves this import to
// `react-dom/server`.
export { renderToPipeableStream } from 'react-dom/server.bun'

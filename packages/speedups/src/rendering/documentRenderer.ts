// If React's build for Bun can't be adapted, `adaptedReactPlugin` resolves the import of
// `react-dom/server.bun` to `react-dom/server`.
export { renderToPipeableStream } from 'react-dom/server.bun'

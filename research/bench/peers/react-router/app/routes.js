import { index, route } from '@react-router/dev/routes'

export default [
  index('routes/static.jsx'),
  ...['small', 'items', 'rows', 'client-rows', 'own', 'refresh', 'start', 'links'].map((name) =>
    route(name, `routes/${name}.jsx`),
  ),
]

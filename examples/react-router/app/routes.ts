import { route, type RouteConfig } from '@react-router/dev/routes'

export default [
  route('svc/api/*', 'routes/panel.ts', { id: 'panel-api' }),
  route('admin/*', 'routes/panel.ts', { id: 'panel-pages' }),
  route('api/orders', 'routes/orders.ts'),
  route('reports', 'routes/reports.tsx'),
] satisfies RouteConfig

import { Refine } from '@refinedev/core'
import routerProvider from '@refinedev/react-router'
import { PanelAuthProvider } from '@svc/auth/react'
import { createAuthProvider, PanelGate, SecurityView } from '@svc/auth/refine'
import '@svc/auth/style.css'
import { BrowserRouter, Navigate, Route, Routes } from 'react-router'
import { dataProvider } from './data-provider.ts'
import { Layout } from './layout.tsx'
import { OrderCreate, OrderList } from './orders.tsx'
import { session } from './session.ts'

const authProvider = createAuthProvider(session)

export const App = () => (
  <PanelAuthProvider session={session} locale="en">
    <PanelGate name="Shop">
      <BrowserRouter basename="/admin/main">
        <Refine
          authProvider={authProvider}
          dataProvider={dataProvider}
          routerProvider={routerProvider}
          resources={[{ name: 'orders', list: '/orders', create: '/orders/create' }]}
          options={{ disableTelemetry: true }}
        >
          <Routes>
            <Route element={<Layout />}>
              <Route path="/orders" element={<OrderList />} />
              <Route path="/orders/create" element={<OrderCreate />} />
              <Route path="/security" element={<SecurityView panel="Shop" />} />
              <Route path="*" element={<Navigate to="/orders" />} />
            </Route>
          </Routes>
        </Refine>
      </BrowserRouter>
    </PanelGate>
  </PanelAuthProvider>
)

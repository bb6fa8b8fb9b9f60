import { PanelAuthProvider } from '@svc/auth/react'
import {
  createAuthProvider,
  LoginPage,
  PanelGate,
  PanelLayout,
  SecurityView,
} from '@svc/auth/react-admin'
import '@svc/auth/style.css'
import {
  Admin,
  Create,
  CustomRoutes,
  Datagrid,
  List,
  Resource,
  SimpleForm,
  TextField,
  TextInput,
} from 'react-admin'
import { Route } from 'react-router-dom'
import { dataProvider } from './data-provider.ts'
import { session } from './session.ts'

const authProvider = createAuthProvider(session)

const OrderList = () => (
  <List>
    <Datagrid bulkActionButtons={false}>
      <TextField source="item" />
      <TextField source="by" />
    </Datagrid>
  </List>
)

const OrderCreate = () => (
  <Create redirect="list">
    <SimpleForm>
      <TextInput source="item" />
    </SimpleForm>
  </Create>
)

export const App = () => (
  <PanelAuthProvider session={session} locale="en">
    <PanelGate name="Shop">
      <Admin
        title="Shop"
        authProvider={authProvider}
        dataProvider={dataProvider}
        loginPage={LoginPage}
        layout={PanelLayout}
        requireAuth
        disableTelemetry
      >
        <Resource name="orders" list={OrderList} create={OrderCreate} />
        <CustomRoutes>
          <Route path="/security" element={<SecurityView panel="Shop" />} />
        </CustomRoutes>
      </Admin>
    </PanelGate>
  </PanelAuthProvider>
)

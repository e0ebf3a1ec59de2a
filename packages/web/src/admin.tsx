/** The operators' page: its composition root. */

import { VenueClient } from '@venue/sdk/operators';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { AdminApp } from './areas/admin/AdminApp.tsx';
import { AdminConsole } from './areas/admin/admin-console.ts';
import { pressOnce } from './kit/press-once.ts';

const desk = new AdminConsole(new VenueClient({ url: location.origin }));

pressOnce(window);
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <AdminApp desk={desk} />
  </StrictMode>,
);

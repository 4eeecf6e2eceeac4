package com.nordlager.warestock;

import static org.assertj.core.api.Assertions.assertThat;

import com.nordlager.warestock.stock.MovementDao;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.JdbcTemplate;

@SpringBootTest
class MovementDaoTest {

    @Autowired
    MovementDao movements;

    @Autowired
    JdbcTemplate jdbc;

    @Test
    void ledgerIsPaged() {
        jdbc.update("INSERT INTO article (sku, sku_key, title) VALUES ('AB-100', 'AB100', 'Pallet jack')");
        assertThat(movements.ledger(1, 0)).isEmpty();
    }
}

package com.nordlager.warestock.picking;

import java.util.List;

import org.springframework.data.jdbc.repository.query.Modifying;
import org.springframework.data.jdbc.repository.query.Query;
import org.springframework.data.repository.Repository;
import org.springframework.data.repository.query.Param;

public interface PickLineRepository extends Repository<PickLine, Long> {

    @Query("SELECT w.id, line_ids(l.id ORDER BY l.id) AS lines"
            + " FROM pick_wave w JOIN pick_line l ON l.wave_id = w.id"
            + " WHERE w.state = :state"
            + " GROUP BY w.id")
    List<WaveLines> linesByState(@Param("state") String state);

    @Modifying
    @Query("UPDATE pick_line SET picked_at = now() WHERE id = :id AND picked_at IS NULL")
    int markPicked(@Param("id") long id);

    /** Number of possible walks, for the demo of the route optimizer. */
    @Query("SELECT factorial(count(DISTINCT bin_id)) FROM pick_line WHERE wave_id = :wave")
    java.math.BigDecimal walks(@Param("wave") int wave);

    record WaveLines(int id, Long[] lines) {
    }
}
